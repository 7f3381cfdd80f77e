import { type Html, html } from './html.ts';
import type { Navigation } from './navigation.ts';

const firstSteps = [
  [
    'guides/first-screenshot',
    'Your first screenshot',
    'Start the platform, get a key, and capture a page as an image, a PDF and a preview card.',
  ],
  [
    'guides/batch-from-csv',
    'A batch from a CSV file',
    'Capture a list of URLs in batches and collect the files in a folder.',
  ],
  ['guides/webhook-receiver', 'A webhook receiver', 'Get notified when captures end, and verify the signature.'],
  [
    'captures',
    'How captures work',
    'When a page is ready, what the options do, and what to do when a capture looks wrong.',
  ],
  ['sdk', 'The SDK', 'Typed calls for JavaScript and TypeScript, with retries, batches and webhook verification.'],
  ['migration', 'Migrate', 'From another service, option by option, or with its own clients.'],
] as const;

/** Shows where to begin, and every section. */
export function homePage(navigation: Navigation): Html {
  return html`<div class="home">
<h1>Documentation</h1>
<p class="lead">Turn web pages into screenshots, PDFs and OG images, on your own machines.</p>
<ul class="cards">${firstSteps.map(
    ([path, title, text]) => html`<li><a href="/docs/${path}"><strong>${title}</strong><span>${text}</span></a></li>`,
  )}</ul>
<h2 id="api-reference">API reference</h2>
<p>Every operation, with samples in six languages and a form that sends the request. For programs, there is an OpenAPI 3.1 document: <a href="/openapi.json">openapi.json</a>.</p>
<div class="index">${navigation
    .filter(({ links }) => links.some(({ method }) => method))
    .map(
      ({ title, links }) =>
        html`<section><h3>${title.replace('API: ', '')}</h3><ul>${links.map(
          ({ path, title: name }) => html`<li><a href="/docs/${path}">${name}</a></li>`,
        )}</ul></section>`,
    )}</div>
</div>`;
}
