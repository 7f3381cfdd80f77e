import type { OpenApiDocument } from '../reference/document.ts';
import { fieldsOf } from '../reference/fields.ts';
import { jsonBlock } from './code.ts';
import { fieldList } from './field-list.ts';
import { type Html, html } from './html.ts';
import type { Heading } from './markdown.ts';
import { inline } from './markdown.ts';

/** Shows the events that webhooks deliver, with an example of each. */
export function eventsPage(document: OpenApiDocument): { content: Html; headings: Heading[] } {
  const events = Object.entries(document.webhooks).map(([name, { post }]) => ({ name, post }));
  const headings = events.map(({ name }) => ({ level: 2, id: name, text: name }));
  const content = html`<h1>Webhook events</h1>
<p>Each event is a <code>POST</code> with a JSON body to your endpoint. <a href="/docs/webhooks">Webhooks</a> explains signatures, retries and replays.</p>
${events.map(({ name, post }) => {
  const { schema, example } = post.requestBody!.content['application/json'];
  return html`<h2 id="${name}">${name}</h2>
<p>${inline(post.description ?? '')}</p>
${jsonBlock(example)}
<details class="all-fields"><summary>Fields of the event</summary>${fieldList(fieldsOf(document, schema), `${name}.`)}</details>`;
})}`;
  return { content, headings };
}
