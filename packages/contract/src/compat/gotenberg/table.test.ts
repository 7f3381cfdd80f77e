import { describe, expect, it } from '@jest/globals';
import { type Example, faultsOf, testRows } from '../../translations/check-rows.test-support.ts';
import type { Options } from '../../translations/table.ts';
import { translate } from '../../translations/translate.ts';
import { service } from './table.ts';

const fromGotenberg = (given: Options, route: string) => translate(service, given, route);

const convert = '/forms/chromium/convert/url';
const screenshot = '/forms/chromium/screenshot/url';
const images = new Set([
  'width',
  'height',
  'deviceScaleFactor',
  'clip',
  'selector',
  'format',
  'quality',
  'omitBackground',
]);

const examples: Record<string, Example[]> = {
  url: [['https://example.com/', { url: 'https://example.com/' }]],
  'index.html': [['<h1>Hi</h1>', { html: '<h1>Hi</h1>' }]],
  paperWidth: [
    ['8.27', { paper_width: '8.27in', paper_height: '11in' }],
    ['210mm', { paper_width: '210mm' }],
    ['595.44pt', { paper_width: '8.27in' }],
    ['51pc', { paper_width: '8.5in' }],
  ],
  paperHeight: [['11.7in', { paper_height: '11.7in', paper_width: '8.5in' }]],
  marginTop: [['1', { margin: { top: '1in', left: '0.39in' } }]],
  marginRight: [['2cm', { margin: { right: '2cm' } }]],
  marginBottom: [[0, { margin: { bottom: '0in' } }]],
  marginLeft: [['10px', { margin: { left: '10px' } }]],
  landscape: [['true', { landscape: true }]],
  scale: [['0.8', { scale: 0.8 }]],
  printBackground: [['true', { print_background: true }]],
  singlePage: [['true', { single_page: true }]],
  nativePageRanges: [['1-5, 8', { page_ranges: '1-5,8' }]],
  preferCssPageSize: [['true', { prefer_css_page_size: true }]],
  generateDocumentOutline: [['true', { outline: true }]],
  generateTaggedPdf: [['true', { tagged: true }]],
  'header.html': [['<p>H</p>', { header_html: '<p>H</p>' }]],
  'footer.html': [['<p>F</p>', { footer_html: '<p>F</p>' }]],
  width: [['1280', { width: 1_280 }]],
  height: [['720', { height: 720 }]],
  deviceScaleFactor: [['2', { device_scale_factor: 2 }]],
  clip: [
    ['true', { full_page: false }],
    ['false', { full_page: true }],
  ],
  selector: [['#chart', { selector: '#chart' }]],
  format: [['webp', { format: 'webp' }]],
  quality: [['80', { quality: 80 }, { format: 'jpeg' }]],
  omitBackground: [['true', { omit_background: true }]],
  waitDelay: [
    ['2s', { delay_ms: 2_000 }],
    ['500ms', { delay_ms: 500 }],
    ['1.5s', { delay_ms: 1_500 }],
  ],
  waitForSelector: [['#done', { wait_for_selector: '#done' }]],
  skipNetworkIdleEvent: [
    ['false', { wait_until: 'networkidle' }],
    ['true', {}],
  ],
  skipNetworkAlmostIdleEvent: [['false', {}]],
  emulatedMediaType: [['screen', { media: 'screen' }]],
  emulatedMediaFeatures: [
    ['{"prefers-color-scheme":"dark","prefers-reduced-motion":"reduce"}', { dark_mode: true, reduced_motion: true }],
    ['[{"name":"prefers-color-scheme","value":"dark"}]', { dark_mode: true }],
  ],
  cookies: [
    [
      '[{"name":"a","value":"1","domain":"example.com","sameSite":"lax","httpOnly":true,"secure":true}]',
      { cookies: [{ name: 'a', value: '1', domain: 'example.com', same_site: 'Lax', http_only: true, secure: true }] },
    ],
  ],
  userAgent: [['Bot/1.0', { user_agent: 'Bot/1.0' }]],
  extraHttpHeaders: [['{"X-One":"1"}', { headers: { 'X-One': '1' } }]],
  failOnResourceLoadingFailed: [[true, { fail_on: ['incomplete'] }]],
  failOnHttpStatusCodes: [
    ['[499,404,599]', { fail_on_status: ['4xx', 404, '5xx'] }],
    ['[]', { fail_on_status: [] }],
  ],
};

describe('the rows of Gotenberg', () => {
  const isImage = (given: Options) => Object.keys(given).some((name) => images.has(name));
  testRows(service, examples, (given) => fromGotenberg(given, isImage(given) ? screenshot : convert));
});

describe('a request to Gotenberg', () => {
  const url = 'https://example.com/';
  const status = { fail_on_status: ['4xx', '5xx'] };

  it('applies Gotenberg’s defaults where the platform’s differ', () => {
    const side = '0.39in';
    expect(fromGotenberg({ url }, `http://localhost:3000${convert}`)).toEqual({
      type: 'pdf',
      options: {
        ...{ url, ...status, paper_width: '8.5in', paper_height: '11in', print_background: false, tagged: false },
        margin: { top: side, right: side, bottom: side, left: side },
      },
      unsupported: [],
      origins: expect.any(Object),
    });
    expect(fromGotenberg({ 'index.html': '<p>' }, '/forms/chromium/screenshot/html')).toEqual({
      type: 'screenshot',
      options: { html: '<p>', ...status, width: 800, height: 600, full_page: true },
      unsupported: [],
      origins: expect.any(Object),
    });
  });

  it('reports unsupported options and is valid without them', () => {
    const translated = fromGotenberg(
      {
        ...{
          url,
          waitDelay: '1h',
          extraHttpHeaders: '{"X-One":"1;scope=https://cdn.example.com/.*"}',
          pdfa: 'PDF/A-2b',
        },
        ...{ emulatedMediaFeatures: '{"forced-colors":"active"}', cookies: 'none', marginTop: 'wide', width: 800 },
      },
      convert,
    );
    expect(translated.unsupported.map(({ name }) => name)).toEqual([
      ...['waitDelay', 'extraHttpHeaders', 'pdfa', 'emulatedMediaFeatures', 'cookies', 'marginTop', 'width'],
    ]);
    expect(translated.options).toMatchObject({ headers: { 'X-One': '1' } });
    expect(faultsOf(translated)).toEqual([]);
  });

  it('rejects other routes', () => {
    for (const route of ['/forms/libreoffice/convert', '/forms/chromium/convert/markdown', '/forms/pdfengines/merge']) {
      expect(() => fromGotenberg({}, route)).toThrow(TypeError);
    }
  });
});
