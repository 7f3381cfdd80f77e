import { createHash } from 'node:crypto';
import type { CaptureType } from '@capture/contract/events/events';
import { describe, expect, it } from '@jest/globals';
import { openForTests, unusedPages } from '../worker.test-support.ts';

const invoice = `<!doctype html><title>Invoice</title><style>td { padding: 4px; border: 1px solid }</style>
  <h1>Invoice</h1><table><tr><td>Paper<td>12.00<tr><td>Ink<td>7.50</table><a href="https://example.com/">Terms</a>`;

/** States that a document can leave behind, with the options of both captures. */
const others: [what: string, html: string, options: Record<string, unknown>][] = [
  ['quirks mode and attributes', '<html lang=ar dir=rtl style="background: red"><body bgcolor=blue><p>old', {}],
  ['a scroll position', '<!doctype html><p style="height: 5000px">old<h1>end', { selector: 'h1' }],
  ['a full page', '<!doctype html><p style="height: 5000px">old', { full_page: true }],
  ['the same viewport', '<!doctype html><p>old', { width: 500, height: 400, device_scale_factor: 2 }],
  ['dark mode and print styles', '<!doctype html><p>old', { dark_mode: true, media: 'print', locale: 'de-AT' }],
  ['a transparent background', '<!doctype html><body style="background: red">old', { omit_background: true }],
  ['what is removed', '<!doctype html><p>old', { remove_selectors: ['p'] }],
  ['open elements', '<!doctype html><input value=old><details open><dialog open>old</dialog></details>', {}],
  ['a font', '<!doctype html><style>@font-face { font-family: serif; src: local(Arial) }</style><p>old', {}],
  ['a page of paper', '<!doctype html><style>@page { size: A5 }</style><p>old', { prefer_css_page_size: true }],
  ['many pages', `<!doctype html>${'<p style="height: 900px">old'.repeat(9)}`, { landscape: true }],
];

describe('a still document in the used page of another', () => {
  const { server, worker } = openForTests(
    {
      '/logo.svg': {
        headers: { 'content-type': 'image/svg+xml', 'cache-control': 'max-age=3600' },
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
      },
    },
    { warmPages: { size: 2 }, viewport: { width: 400, height: 300 } },
  );
  const drawn = async (account: string, options: Record<string, unknown>, type?: CaptureType) => {
    const { file, report } = await worker.captureFor(account, options, type);
    expect(report).toMatchObject({ tries: 1, problems: [] });
    const bytes = file.bytes.toString('latin1').replace(/\/(Creation|Mod)Date \([^)]*\)/g, '');
    return createHash('sha256').update(bytes).digest('hex');
  };
  const unused = (work: () => Promise<unknown>) => unusedPages(worker, work);

  /** The invoice in an unused page, by options and type. */
  const alone = new Map<string, Promise<string>>();

  it.each(others)('is drawn as in an unused page, after %s', async (what, html, options) => {
    const type = 'landscape' in options || 'prefer_css_page_size' in options ? 'pdf' : 'screenshot';
    const key = JSON.stringify([options, type]);
    const drawing = alone.get(key) ?? drawn(what, { html: invoice, ...options, isolation: 'strict' }, type);
    alone.set(key, drawing);
    const expected = await drawing;
    let found = '';
    const taken = await unused(async () => {
      await drawn(what, { html, ...options }, type);
      found = await drawn(what, { html: invoice, ...options }, type);
    });
    expect({ taken, found }).toEqual({ taken: 1, found: expected });
  });

  it('keeps its titled style sheet after a document with another title', async () => {
    const titled = (title: string) => ({ html: `${invoice}<style title=${title}>h1 { color: red }</style>` });
    const expected = await drawn('titled', { ...titled('b'), isolation: 'strict' });
    await drawn('titled', titled('a'));
    expect(await drawn('titled', titled('b'))).toBe(expected);
  });

  it('gets no page in which a script has run', async () => {
    const withScript = { html: `<script>document.title = 'ran'</script>${invoice}` };
    const taken = await unused(async () => {
      for (const options of [withScript, { html: invoice }, withScript, { html: invoice }]) await drawn('a', options);
    });
    expect(taken).toBe(2);
  });

  it('loads its images again', async () => {
    const html = `${invoice}<img src="${server.url('/logo.svg')}">`;
    const taken = await unused(async () => {
      await drawn('images', { html });
      await drawn('images', { html });
    });
    expect([taken, server.hits('/logo.svg')]).toEqual([1, 2]);
  });
});
