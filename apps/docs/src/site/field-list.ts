import type { Field } from '../reference/fields.ts';
import { Html, html } from './html.ts';
import { inline } from './markdown.ts';

/** Lists fields with their types and explanations; a reader can open the fields of an object. */
export function fieldList(fields: readonly Field[], prefix: string): Html {
  return html`<ul class="fields">${fields.map((field) => entry(field, prefix))}</ul>`;
}

function entry({ name, type, required, description, facts, fields }: Field, prefix: string): Html {
  const id = `${prefix}${name}`;
  return html`<li id="${id}">
<p class="field"><code>${name}</code> <span class="type">${type}</span>${required && new Html(' <span class="required">required</span>')}</p>
${description !== '' && html`<div class="about">${inline(description)}</div>`}
${
  facts.length > 0 &&
  html`<p class="facts">${facts.map(([label, value]) => html`<span>${label}: <code>${value}</code></span> `)}</p>`
}
${
  fields.length > 0 &&
  html`<details><summary>Fields of <code>${name}</code></summary>${fieldList(fields, `${id}.`)}</details>`
}
</li>
`;
}
