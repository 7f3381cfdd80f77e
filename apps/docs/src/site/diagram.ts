import { type Html, html } from './html.ts';

interface Arrow {
  group: string;
  from: string;
  to: string;
  label: string;
}

/** Shows a Mermaid diagram as a table of its arrows: the site loads no renderer, and a screen reader can read a table. */
export function diagram(source: string): Html {
  const arrows = arrowsOf(source);
  return html`<div class="table" tabindex="0" role="group" aria-label="Diagram as a table"><table>
<thead><tr><th>from</th><th>to</th><th>what</th></tr></thead>
<tbody>${arrows.map(
    ({ group, from, to, label }, index) =>
      html`${group !== '' && group !== arrows[index - 1]?.group && html`<tr><th colspan="3">${group}</th></tr>`}<tr><td>${from}</td><td>${to}</td><td>${label}</td></tr>
`,
  )}</tbody></table></div>`;
}

/** Reads flow charts, `a[Name] -->|label| b`, and state diagrams, `a --> b: label`. */
function arrowsOf(source: string): Arrow[] {
  const names = new Map([['[*]', 'start']]);
  const parts: Arrow[] = [];
  let group = '';
  for (const line of source.split('\n')) {
    group = /^\s*state "([^"]+)"/.exec(line)?.[1] ?? group;
    // A line has a node, then for each arrow its label and the next node.
    const [first, ...rest] = line.trim().split(/\s*-->\s*(?:\|([^|]*)\|)?\s*/);
    let from = nodeOf(first ?? '', names);
    for (let at = 0; at < rest.length; at += 2) {
      const [next = '', after = ''] = (rest[at + 1] ?? '').split(/:\s+/);
      const to = nodeOf(next, names);
      parts.push({ group, from, to, label: rest[at] ?? after });
      from = to;
    }
  }
  return parts.map((part) => ({ ...part, from: names.get(part.from) ?? part.from, to: names.get(part.to) ?? part.to }));
}

/** Returns the id of a node and keeps its name. */
function nodeOf(text: string, names: Map<string, string>): string {
  const [, id = text, name] = /^(\w+)[[(]+([^\])]+)[\])]+$/.exec(text) ?? [];
  if (name !== undefined) names.set(id, name);
  return id;
}
