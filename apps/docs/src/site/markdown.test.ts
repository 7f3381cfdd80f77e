import { expect, it } from '@jest/globals';
import { article } from './markdown.ts';

const html = (source: string, file = 'captures.md') => article(source, file, new Map()).content.text;

it('links guides to each other, and names files of the repository', () => {
  expect(html('[a](guides/webhook-receiver.md#verify)')).toContain(
    '<a href="/docs/guides/webhook-receiver#verify">a</a>',
  );
  expect(html('[a](../captures.md)', 'guides/x.md')).toContain('<a href="/docs/captures">a</a>');
  expect(html('[S](../SECURITY.md)')).toContain('<a href="/docs/security">S</a>');
  expect(html('[a](docs/captures.md)', '../SECURITY.md')).toContain('<a href="/docs/captures">a</a>');
  const titled = article('[limits.md](limits.md)', 'captures.md', new Map(), new Map([['limits', 'Limits']]));
  expect(titled.content.text).toContain('<a href="/docs/limits">Limits</a>');
  expect(html('[app.ts](../apps/api-gateway/src/app.ts)')).toContain(
    '<span class="source" title="apps/api-gateway/src/app.ts">app.ts</span>',
  );
});

it('names headings as GitHub does', () => {
  const { headings, title } = article(
    "# Limits\n\n## An account's `html`\n\n## Same\n\n## Same",
    'limits.md',
    new Map(),
  );
  expect(title).toBe('Limits');
  expect(headings.map(({ id }) => id)).toEqual(['limits', 'an-accounts-html', 'same', 'same-1']);
});

it('shows a diagram as a table of its arrows', () => {
  const flow = html(
    '```mermaid\nflowchart LR\n  client([Client]) -->|HTTP| gateway[api-gateway] --> redis[(Redis)]\n```',
  );
  expect(flow).toContain('<td>Client</td><td>api-gateway</td><td>HTTP</td>');
  expect(flow).toContain('<td>api-gateway</td><td>Redis</td><td></td>');
  const states = html(
    '```mermaid\nstateDiagram-v2\n  state "Capture" as capture {\n    [*] --> queued: accepted\n  }\n```',
  );
  expect(states).toContain('<th colspan="3">Capture</th></tr><tr><td>start</td><td>queued</td><td>accepted</td>');
});

it('aligns columns without inline styles', () => {
  expect(html('| a |\n| -: |\n| 1 |')).toContain('<td class="right">1</td>');
});

it('has no empty headings of columns', () => {
  expect(html('| | a |\n| - | - |\n| 1 | 2 |')).toMatch(/<td><\/td>\s*<th>a<\/th>/);
});

it('refuses an image that is not there', () => {
  expect(() => html('![a](images/none.png)')).toThrow('docs/captures.md shows images/none.png');
});

it('loads an image when the reader comes near, and keeps its place', () => {
  const images = new Map([['images/map.webp', { url: '/docs/assets/map-1.webp', width: 800, height: 600 }]]);
  expect(article('![A map](images/map.webp)', 'captures.md', images).content.text).toContain(
    '<img src="/docs/assets/map-1.webp" alt="A map" width="800" height="600" loading="lazy">',
  );
});
