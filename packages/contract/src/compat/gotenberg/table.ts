import { cookieFrom } from '../../translations/http-values.ts';
import { needless, none, renamed } from '../../translations/rows.ts';
import type { Service } from '../../translations/service.ts';
import type { CaptureKind, Counterpart, Options, Table } from '../../translations/table.ts';
import {
  asBoolean,
  asNumbers,
  asObject,
  asObjects,
  asText,
  between,
  oneOf,
  Untranslatable,
  whole,
  within,
} from '../../translations/values.ts';

const pdf = { only: 'pdf' } as const;
const screenshot = { only: 'screenshot' } as const;
const inInches = { ...pdf, how: 'plain numbers are inches; `pt` and `pc` → `in`' };

const margin = (side: string): Counterpart => ({
  ours: 'margin',
  ...inInches,
  move: (value) => ({ margin: { [side]: lengthOf(value) } }),
});

const table: Table = {
  url: renamed('url', asText),
  'index.html': renamed('html', asText, { how: 'the text of the file; its resources need absolute URLs' }),
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
    how: 'true: viewport only; false, their default: full page',
    move: (value) => ({ full_page: !asBoolean(value) }),
  },
  selector: renamed('selector', asText, screenshot),
  format: renamed('format', oneOf({ png: 'png', jpeg: 'jpeg', webp: 'webp' }), screenshot),
  quality: renamed('quality', whole(1, 100), { ...screenshot, harmless: true }),
  omitBackground: renamed('omit_background', asBoolean, { ...screenshot, harmless: true }),
  waitDelay: renamed('delay_ms', (value, report) => within(durationOf(asText(value)), 0, 30_000, report), {
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
    how: 'only `prefers-color-scheme` and `prefers-reduced-motion`',
    move: (value, report) => featuresOf(value, report),
  },
  cookies: {
    ours: 'cookies',
    how: '`sameSite`, `httpOnly` → `same_site`, `http_only`',
    harmless: true,
    move: (value, report) => ({ cookies: asObjects(value).map((cookie) => cookieFrom(cookie, report)) }),
  },
  userAgent: renamed('user_agent', asText),
  extraHttpHeaders: {
    ours: 'headers',
    how: 'without `;scope=`: they go to the origin of the URL only',
    move: (value, report) => ({ headers: headersWithoutScope(asObject(value), report) }),
  },
  failOnHttpStatusCodes: {
    ours: 'fail_on_status',
    how: '`499` → `4xx`, `599` → `5xx`; their default',
    move: (value) => ({ fail_on_status: asNumbers(value).map(statusOf) }),
  },
  ...none('check the receipt', 'failOnResourceHttpStatusCodes', 'ignoreResourceHttpStatusDomains'),
  failOnResourceLoadingFailed: {
    ours: 'fail_on',
    how: 'true → `incomplete`: resources in view',
    move: (value) => (asBoolean(value) ? { fail_on: ['incomplete'] } : {}),
  },
  ...none('check the receipt', 'failOnConsoleExceptions'),
  ...none(
    'let the page show an element when ready, and use `wait_for_selector`',
    'waitForExpression',
    'waitWindowStatus',
  ),
  ...needless('fast is the default, unless the operator sets PNG_ENCODER=small', 'optimizeForSpeed'),
  ...none('serve the files at URLs that can be loaded', 'downloadFrom', 'archives'),
  ...none(
    'PDFs are not post-processed',
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

/** Parses a length of Gotenberg, in inches by default. The platform accepts `mm`, `cm`, `in` and `px`. */
function lengthOf(value: unknown): string {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(mm|cm|in|px|pt|pc)?$/.exec(asText(value).trim()) ?? [];
  if (number === undefined) throw new Untranslatable('is not a length');
  if (unit === 'pt') return `${inches(Number(number) / 72)}in`;
  if (unit === 'pc') return `${inches(Number(number) / 6)}in`;
  return `${number}${unit ?? 'in'}`;
}

function inches(number: number): number {
  return Number(number.toFixed(6));
}

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/** Parses a Go duration such as `1m30s` into milliseconds. */
function durationOf(text: string): number {
  if (text.length > 50) throw new Untranslatable('is not a duration');
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m)/g)];
  if (parts.length === 0 || parts.map(([all]) => all).join('') !== text.trim())
    throw new Untranslatable('is not a duration');
  return Math.round(parts.reduce((sum, [, number, unit = '']) => sum + Number(number) * unitsMs[unit]!, 0));
}

function statusOf(status: number): number | string {
  return status % 100 === 99 ? `${Math.floor(status / 100)}xx` : status;
}

/** Parses media features, which clients send as an object or as a list of `{name, value}`. */
function featuresOf(given: unknown, report: (why: string) => void): Options {
  const isList = typeof given === 'string' ? /^\s*\[/.test(given) : Array.isArray(given);
  const features = isList
    ? asObjects(given).map(({ name, value }) => [asText(name), value] as const)
    : Object.entries(asObject(given));
  const options: Options = {};
  for (const [name, value] of features) {
    if (name === 'prefers-color-scheme') options.dark_mode = value === 'dark';
    else if (name === 'prefers-reduced-motion') options.reduced_motion = value === 'reduce';
    else report(`${name} cannot be emulated`);
  }
  return options;
}

function headersWithoutScope(headers: Options, report: (why: string) => void): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const [text = '', ...scopes] = asText(value).split(/;\s*scope\s*=/i);
      if (scopes.length > 0) report(`${name} goes to the origin of the URL only`);
      return [name, text.trim()];
    }),
  );
}

export const service: Service = {
  name: 'Gotenberg',
  url: 'http://localhost:3000',
  keys: [{ in: 'header', name: 'X-Api-Key' }, { in: 'password' }],
  body: 'form',
  paths: ['POST /forms/chromium/{convert,screenshot}/{url,html,markdown}'],
  notServed: 'LibreOffice, PDF engines',
  request:
    "A request to one of Gotenberg's Chromium routes: the form's fields, and the contents of its files by name: `index.html`, `header.html`, `footer.html`.",
  route: 'such as `/forms/chromium/convert/url`',
  table,
  kindOf(_, route) {
    const [, what] = /\/forms\/chromium\/(convert|screenshot)\/(?:url|html)$/.exec(route) ?? [];
    if (what === undefined) throw new TypeError(`The route ${route} has no counterpart.`);
    return what === 'convert' ? 'pdf' : 'screenshot';
  },
  defaults: (type, given) => ({
    ...defaultsOf[type],
    ...(given.failOnHttpStatusCodes === undefined && { fail_on_status: ['4xx', '5xx'] }),
  }),
};

const defaultsOf: Readonly<Partial<Record<CaptureKind, Options>>> = {
  screenshot: { width: 800, height: 600, full_page: true, quality: 100 },
  pdf: {
    paper_width: '8.5in',
    paper_height: '11in',
    margin: { top: '0.39in', right: '0.39in', bottom: '0.39in', left: '0.39in' },
    print_background: false,
    tagged: false,
  },
};
