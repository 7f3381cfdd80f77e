import { cookieFrom } from './http-values.ts';
import { none, renamed } from './rows.ts';
import type { Counterpart, MovedType, Options, Table } from './table.ts';
import { type Moved, type Service, translate } from './translate.ts';
import { asBoolean, asNumbers, asObject, asObjects, asText, between, oneOf, Unfit, whole, within } from './values.ts';

const pdf = { only: 'pdf' } as const;
const screenshot = { only: 'screenshot' } as const;
const inInches = { ...pdf, how: 'a plain number is inches; `pt` and `pc` → `in`' };

const margin = (side: string): Counterpart => ({
  ours: 'margin',
  ...inInches,
  move: (value) => ({ margin: { [side]: lengthOf(value) } }),
});

const table: Table = {
  url: renamed('url', asText),
  'index.html': renamed('html', asText, { how: 'the text of the file; what it loads needs absolute addresses' }),
  paperWidth: renamed('paper_width', lengthOf, inInches),
  paperHeight: renamed('paper_height', lengthOf, inInches),
  marginTop: margin('top'),
  marginRight: margin('right'),
  marginBottom: margin('bottom'),
  marginLeft: margin('left'),
  landscape: renamed('landscape', asBoolean, pdf),
  scale: renamed('scale', between(0.1, 2), pdf),
  printBackground: renamed('print_background', asBoolean, pdf),
  singlePage: renamed('single_page', asBoolean, pdf),
  nativePageRanges: renamed('page_ranges', (value) => asText(value).replaceAll(/\s/g, ''), pdf),
  preferCssPageSize: renamed('prefer_css_page_size', asBoolean, pdf),
  generateDocumentOutline: renamed('outline', asBoolean, pdf),
  generateTaggedPdf: renamed('tagged', asBoolean, pdf),
  'header.html': renamed('header_html', asText, { ...pdf, how: 'the text of the file' }),
  'footer.html': renamed('footer_html', asText, { ...pdf, how: 'the text of the file' }),
  width: renamed('width', whole(16, 7_680), screenshot),
  height: renamed('height', whole(16, 4_320), screenshot),
  deviceScaleFactor: renamed('device_scale_factor', between(0.5, 4), screenshot),
  clip: {
    ours: 'full_page',
    ...screenshot,
    how: 'true is the viewport alone, false the whole page, their default',
    move: (value) => ({ full_page: !asBoolean(value) }),
  },
  selector: renamed('selector', asText, screenshot),
  format: renamed('format', oneOf({ png: 'png', jpeg: 'jpeg', webp: 'webp' }), screenshot),
  quality: renamed('quality', whole(1, 100), screenshot),
  omitBackground: renamed('omit_background', asBoolean, screenshot),
  waitDelay: renamed('delay_ms', (value, tell) => within(durationOf(asText(value)), 0, 30_000, tell), {
    how: '`2s`, `500ms` → milliseconds',
  }),
  waitForSelector: renamed('wait_for_selector', asText),
  skipNetworkIdleEvent: {
    ours: 'wait_until',
    how: 'false → `networkidle`',
    move: (value) => (asBoolean(value) ? {} : { wait_until: 'networkidle' }),
  },
  skipNetworkAlmostIdleEvent: {
    ours: 'wait_until',
    how: 'false → `auto`, the default here',
    move: () => ({}),
  },
  emulatedMediaType: renamed('media', asText),
  emulatedMediaFeatures: {
    ours: 'dark_mode, reduced_motion',
    how: '`prefers-color-scheme`, `prefers-reduced-motion`; no others',
    move: (value, tell) => featuresOf(asObject(value), tell),
  },
  cookies: {
    ours: 'cookies',
    how: '`sameSite`, `httpOnly` → `same_site`, `http_only`',
    move: (value, tell) => ({ cookies: asObjects(value).map((cookie) => cookieFrom(cookie, tell)) }),
  },
  userAgent: renamed('user_agent', asText),
  extraHttpHeaders: {
    ours: 'headers',
    how: 'without `;scope=`: they go to the origin of the URL alone',
    move: (value, tell) => ({ headers: headersWithoutScope(asObject(value), tell) }),
  },
  failOnHttpStatusCodes: {
    ours: 'fail_on_status',
    how: '`499` → `4xx`, `599` → `5xx`; their default',
    move: (value) => ({ fail_on_status: asNumbers(value).map(statusOf) }),
  },
  ...none('look at the receipt', 'failOnResourceHttpStatusCodes', 'ignoreResourceHttpStatusDomains'),
  ...none('look at the receipt', 'failOnResourceLoadingFailed', 'failOnConsoleExceptions'),
  ...none(
    'let the page show an element then, and wait for it with `wait_for_selector`',
    'waitForExpression',
    'waitWindowStatus',
  ),
  ...none('quick is the default, unless the operator sets PNG_ENCODER=small', 'optimizeForSpeed'),
  ...none('give the files addresses that can be loaded', 'downloadFrom', 'archives'),
  ...none(
    'PDFs are not worked on afterwards',
    ...['pdfa', 'pdfua', 'metadata', 'splitMode', 'splitSpan', 'splitUnify', 'flatten', 'merge', 'bookmarks', 'stages'],
    ...['userPassword', 'ownerPassword', 'allowPrinting', 'allowCopying', 'allowModifying', 'allowAnnotating'],
    ...['allowFillingForms', 'allowAssembling', 'embeds', 'embedsMetadata', 'watermarks', 'stamps', 'rotateAngle'],
    ...[
      'rotatePages',
      'optimizeImages',
      'imageQuality',
      'facturxConformanceLevel',
      'facturxDocumentType',
      'facturxVersion',
    ],
  ),
};

/** A length of theirs: inches unless a unit is named, of which ours are `mm`, `cm`, `in` and `px`. */
function lengthOf(value: unknown): string {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(mm|cm|in|px|pt|pc)?$/.exec(asText(value).trim()) ?? [];
  if (number === undefined) throw new Unfit('is no length');
  if (unit === 'pt') return `${inches(Number(number) / 72)}in`;
  if (unit === 'pc') return `${inches(Number(number) / 6)}in`;
  return `${number}${unit ?? 'in'}`;
}

function inches(number: number): number {
  return Number(number.toFixed(6));
}

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/** A duration as Go writes it, `1m30s`, in milliseconds. */
function durationOf(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m)/g)];
  if (parts.length === 0 || parts.map(([all]) => all).join('') !== text.trim()) throw new Unfit('is no duration');
  return Math.round(parts.reduce((sum, [, number, unit = '']) => sum + Number(number) * unitsMs[unit]!, 0));
}

function statusOf(status: number): number | string {
  return status % 100 === 99 ? `${Math.floor(status / 100)}xx` : status;
}

function featuresOf(features: Options, tell: (why: string) => void): Options {
  const options: Options = {};
  for (const [name, value] of Object.entries(features)) {
    if (name === 'prefers-color-scheme') options.dark_mode = value === 'dark';
    else if (name === 'prefers-reduced-motion') options.reduced_motion = value === 'reduce';
    else tell(`${name} cannot be emulated`);
  }
  return options;
}

function headersWithoutScope(headers: Options, tell: (why: string) => void): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const [text = '', ...scopes] = asText(value).split(/;\s*scope\s*=/i);
      if (scopes.length > 0) tell(`${name} goes to the origin of the URL alone`);
      return [name, text.trim()];
    }),
  );
}

export const gotenberg: Service = {
  name: 'Gotenberg',
  table,
  defaults: (type, given) => ({
    ...defaultsOf[type],
    ...(given.failOnHttpStatusCodes === undefined && { fail_on_status: ['4xx', '5xx'] }),
  }),
};

const defaultsOf: Readonly<Record<MovedType, Options>> = {
  screenshot: { width: 800, height: 600, full_page: true, quality: 100 },
  pdf: {
    paper_width: '8.5in',
    paper_height: '11in',
    margin: { top: '0.39in', right: '0.39in', bottom: '0.39in', left: '0.39in' },
    print_background: false,
    tagged: false,
  },
};

/**
 * A request to one of Gotenberg's Chromium routes.
 *
 * @param fields the form's fields, and the texts of its files by their names: `index.html`, `header.html`, `footer.html`.
 * @param route such as `/forms/chromium/convert/url`.
 * @throws {TypeError} for a route that is none of a URL or of HTML.
 */
export function fromGotenberg(fields: Options, route: string): Moved {
  const [, what] = /\/forms\/chromium\/(convert|screenshot)\/(?:url|html)$/.exec(route) ?? [];
  if (what === undefined) throw new TypeError(`The route ${route} has no counterpart.`);
  return translate(gotenberg, what === 'convert' ? 'pdf' : 'screenshot', fields);
}
