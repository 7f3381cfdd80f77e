import { describe, expect, it } from '@jest/globals';
import { type Example, faultsOf, testRows } from '../../translations/check-rows.test-support.ts';
import type { Options } from '../../translations/table.ts';
import { translate } from '../../translations/translate.ts';
import { service } from './table.ts';

const fromBrowserless = (given: Options, route: string) => translate(service, given, route);

/** Selects the route of the request; `request` removes this field. */
const pdf = { '#route': 'pdf' };

const examples: Record<string, Example[]> = {
  url: [['https://example.com/', { url: 'https://example.com/' }]],
  html: [['<h1>Hi</h1>', { html: '<h1>Hi</h1>' }]],
  'options.type': [['webp', { format: 'webp' }]],
  'options.quality': [[75, { quality: 75 }, { 'options.type': 'jpeg' }]],
  'options.fullPage': [
    [true, { full_page: true }],
    [true, { single_page: true }, pdf],
  ],
  'options.omitBackground': [[true, { omit_background: true }]],
  'options.clip': [[{ x: 0, y: 10, width: 64, height: 48 }, { clip: { x: 0, y: 10, width: 64, height: 48 } }]],
  selector: [['#chart', { selector: '#chart' }]],
  scrollPage: [[true, { scroll: true }]],
  'viewport.width': [[1_280, { width: 1_280, height: 600 }]],
  'viewport.height': [[720, { height: 720 }]],
  'viewport.deviceScaleFactor': [[2, { device_scale_factor: 2 }]],
  'gotoOptions.waitUntil': [
    ['networkidle2', { wait_until: 'auto' }],
    [['load', 'networkidle0'], { wait_until: 'networkidle' }],
  ],
  'gotoOptions.timeout': [[60_000, { timeout_ms: 60_000 }]],
  'waitForSelector.selector': [['#done', { wait_for_selector: '#done' }]],
  waitForTimeout: [[500, { delay_ms: 500 }]],
  addScriptTag: [[[{ content: 'a()' }, { content: 'b()' }], { js: 'a()\nb()' }]],
  addStyleTag: [[[{ content: 'body{}' }], { css: 'body{}' }]],
  authenticate: [[{ username: 'a', password: 'b' }, { basic_auth: { username: 'a', password: 'b' } }]],
  cookies: [
    [
      [{ name: 'a', value: '1', url: 'https://example.com/x', httpOnly: true, sameSite: 'Strict' }],
      { cookies: [{ name: 'a', value: '1', domain: 'example.com', http_only: true, same_site: 'Strict' }] },
    ],
  ],
  setExtraHTTPHeaders: [[{ 'X-One': '1' }, { headers: { 'X-One': '1' } }]],
  userAgent: [
    ['Bot/1.0', { user_agent: 'Bot/1.0' }],
    [{ userAgent: 'Bot/1.0' }, { user_agent: 'Bot/1.0' }],
  ],
  emulateMediaType: [['screen', { media: 'screen' }, pdf]],
  setJavaScriptEnabled: [[true, {}]],
  rejectResourceTypes: [[['image', 'media'], { block_resources: ['image', 'media'] }]],
  '?blockAds': [['true', { block_ads: true }]],
  '?timeout': [['60000', { timeout_ms: 60_000 }]],
  'options.format': [['A4', { paper: 'A4' }, pdf]],
  'options.width': [
    [800, { paper_width: '800px', paper_height: '11in' }, pdf],
    ['21cm', { paper_width: '21cm' }, pdf],
  ],
  'options.height': [['297mm', { paper_height: '297mm' }, pdf]],
  'options.landscape': [[true, { landscape: true }, pdf]],
  'options.scale': [[0.8, { scale: 0.8 }, pdf]],
  'options.margin.top': [['20mm', { margin: { top: '20mm', left: '10px' } }, { ...pdf, 'options.margin.left': 10 }]],
  'options.margin.right': [['20', { margin: { right: '20px' } }, pdf]],
  'options.margin.bottom': [['1in', { margin: { bottom: '1in' } }, pdf]],
  'options.margin.left': [[10, { margin: { left: '10px' } }, pdf]],
  'options.pageRanges': [['1-3, 5', { page_ranges: '1-3,5' }, pdf]],
  'options.printBackground': [[true, { print_background: true }, pdf]],
  'options.preferCSSPageSize': [[true, { prefer_css_page_size: true }, pdf]],
  'options.outline': [[true, { outline: true }, pdf]],
  'options.tagged': [[false, { tagged: false }, pdf]],
  'options.headerTemplate': [
    ['<p>H</p>', { header_html: '<p>H</p>' }, { ...pdf, 'options.displayHeaderFooter': true }],
  ],
  'options.footerTemplate': [
    ['<p>F</p>', { footer_html: '<p>F</p>' }, { ...pdf, 'options.displayHeaderFooter': true }],
  ],
  'options.displayHeaderFooter': [[true, {}, pdf]],
};

/** Returns the body and the route of a request whose fields have the names of the table: `options.margin.top`, `?blockAds`. */
function request({ '#route': type = 'screenshot', ...rows }: Options): [Options, string] {
  const body: Options = {};
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rows)) {
    if (name.startsWith('?')) query.set(name.slice(1), String(value));
    else {
      const path = name.split('.');
      const last = path.pop()!;
      let place = body;
      for (const step of path) {
        place[step] ??= {};
        place = place[step] as Options;
      }
      place[last] = value;
    }
  }
  return [body, `/chromium/${type}?${query}`];
}

describe('the rows of browserless', () => {
  testRows(service, examples, (given) => fromBrowserless(...request(given)));
});

describe('a request to browserless', () => {
  const url = 'https://example.com/';

  it('applies browserless’ defaults where the platform’s differ', () => {
    expect(fromBrowserless({ url }, '/screenshot')).toEqual({
      type: 'screenshot',
      options: { url, width: 800, height: 600 },
      unsupported: [],
      origins: expect.any(Object),
    });
    const paper = { paper_width: '8.5in', paper_height: '11in', print_background: false };
    expect(fromBrowserless({ url }, 'https://production-sfo.browserless.io/pdf?token=t')).toEqual({
      type: 'pdf',
      options: { url, width: 800, height: 600, ...paper },
      unsupported: [{ name: '?token', why: expect.stringContaining('header') }],
      origins: expect.any(Object),
    });
  });

  it('reports unsupported options and is valid without them', () => {
    const body = {
      url,
      options: { type: 'png', quality: 80, path: 'x.png', displayHeaderFooter: true },
      viewport: { width: 390, height: 844, isMobile: true },
      addScriptTag: [{ url: 'https://cdn.example.com/a.js' }],
      setJavaScriptEnabled: false,
      rejectResourceTypes: ['manifest'],
      waitForFunction: { fn: '() => window.done' },
    };
    const translated = fromBrowserless(body, '/screenshot');
    expect(translated.unsupported.map(({ name }) => name)).toEqual([
      ...['options.path', 'options.displayHeaderFooter', 'viewport.isMobile', 'addScriptTag', 'setJavaScriptEnabled'],
      ...['rejectResourceTypes', 'waitForFunction', 'options.quality'],
    ]);
    expect(faultsOf(translated)).toEqual([]);
  });

  it('reads the HTML of the full page for /content, and the whole document as an output', () => {
    const options = { fullPage: true, type: 'jpeg', format: 'A4' };
    const body = { url, options, selector: 'main', userAgent: 'Bot/1.0', rejectResourceTypes: ['image'] };
    const translated = fromBrowserless(body, '/chromium/content');
    expect(translated).toMatchObject({
      type: 'content',
      options: {
        url,
        format: 'html',
        only_main_content: false,
        user_agent: 'Bot/1.0',
        block_resources: ['image'],
        outputs: [{ kind: 'html', name: 'document' }],
      },
    });
    expect(translated.unsupported.map(({ name, harmless }) => [name, harmless])).toEqual(
      ['options.fullPage', 'options.type', 'options.format', 'selector'].map((name) => [name, true]),
    );
    expect(faultsOf(translated)).toEqual([]);
  });

  it('rejects other routes', () => {
    for (const route of ['/scrape', '/function', '/chromium/pdf/x']) {
      expect(() => fromBrowserless({ url }, route)).toThrow(TypeError);
    }
  });
});
