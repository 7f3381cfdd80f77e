import { type OpenApiDocument, type Operation, type Schema, successesOf } from '../reference/document.ts';
import { type Field, fieldsOf, parameterField, typeOf } from '../reference/fields.ts';
import { sampleOf } from '../reference/sample-of.ts';
import { languages } from '../samples/samples.ts';
import { codeBlock, jsonBlock } from './code.ts';
import { fieldList } from './field-list.ts';
import { Html, html } from './html.ts';
import { block, inline } from './markdown.ts';
import { tryIt } from './try-it.ts';

/** Shows one operation: its request and response, samples, and the form that sends it. */
export function operationPage(document: OpenApiDocument, operation: Operation, server: string): Html {
  const { method, path, summary, description = '', parameters, requestBody } = operation;
  const body = requestBody?.content['application/json'].schema;
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const inHeader = parameters.filter((parameter) => parameter.in === 'header');
  const part = (title: string, list: typeof parameters, prefix: string) =>
    list.length > 0 &&
    html`<h2>${title}</h2>${fieldList(
      list.map((parameter) => parameterField(document, parameter)),
      prefix,
    )}`;
  return html`<article class="operation">
<div class="operation-head"><h1>${summary}</h1>
<p class="path"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
${block(description)}
${authentication(operation)}</div>
<div class="operation-side">
${samples(operation, server)}
${tryIt(operation)}
</div>
<div class="operation-body">
${part('Path parameters', inPath, 'path.')}
${part('Query parameters', inQuery, 'query.')}
${part('Headers', inHeader, 'header.')}
${body && html`<h2>Request body</h2>${bodyOf(document, body, requestBody.required)}`}
<h2>Response</h2>
${response(document, operation)}
${errors(operation)}
</div>
</article>`;
}

function bodyOf(document: OpenApiDocument, schema: Schema, required: boolean): Html {
  const fields: Field[] = fieldsOf(document, schema);
  return html`<p>JSON${!required && ', optional'}.</p>${fieldList(fields, 'body.')}`;
}

function authentication({ security }: Operation): Html {
  const schemes = security.flatMap(Object.keys);
  if (schemes.includes('operatorKey')) {
    return html`<p class="needs">Needs the operator key, as <code>Authorization: Bearer</code>, or an operator’s session.</p>`;
  }
  if (schemes.includes('apiKey')) {
    return html`<p class="needs">Needs an API key, as <code>X-API-Key</code> or <code>Authorization: Bearer</code>, or a session.</p>`;
  }
  return html`<p class="needs">Needs no key.</p>`;
}

function samples(operation: Operation, server: string): Html {
  const sample = sampleOf(operation, server);
  return html`<section class="samples" aria-labelledby="samples">
<h2 id="samples">Request</h2>
<div class="languages" role="group" aria-label="Language">${languages.map(
    ({ id, label }, index) =>
      html`<button type="button" data-language="${id}" aria-pressed="${index === 0 ? 'true' : 'false'}">${label}</button>`,
  )}</div>
${languages.map(
  ({ id, grammar, write }, index) =>
    html`<div data-sample="${id}"${index > 0 && new Html(' hidden')}>${codeBlock(write(sample), grammar)}</div>
`,
)}</section>`;
}

function response(document: OpenApiDocument, operation: Operation): Html {
  return html`${successesOf(operation).map(({ status, description, content }) => {
    const media = Object.entries(content);
    const json = content['application/json'];
    return html`<h3><code>${status}</code> ${inline(description)}</h3>
${media.length > 0 && html`<p class="media">${media.map(([type], index) => html`${index > 0 && ', '}<code>${type}</code>`)}</p>`}
${media.map(([, { example }]) =>
  example === undefined ? false : typeof example === 'string' ? codeBlock(example, 'text') : jsonBlock(example),
)}
${json && responseFields(document, json.schema, status)}`;
  })}`;
}

function responseFields(document: OpenApiDocument, schema: Schema, status: string): Html {
  const fields = fieldsOf(document, schema);
  if (fields.length === 0) return html`<p>${typeOf(document, schema)}</p>`;
  return html`<details class="all-fields"><summary>Fields of the response</summary>${fieldList(fields, `${status}.`)}</details>`;
}

function errors({ responses }: Operation): Html {
  const found = Object.entries(responses).filter(([status]) => !status.startsWith('2'));
  if (found.length === 0) return html``;
  return html`<h2>Errors</h2>
<ul class="errors">${found.map(
    ([status, { description }]) =>
      html`<li><code class="status">${status}</code> <span>${inline(description)}</span></li>`,
  )}</ul>`;
}
