import { addressOf, cookieFrom } from '../../translations/http-values.ts';
import { blockResources, byEndpoint, needless, none, paperOf, renamed, waitUntil } from '../../translations/rows.ts';
import type { Service } from '../../translations/service.ts';
import type { CaptureKind, Counterpart, Options, Table } from '../../translations/table.ts';
import {
  asBoolean,
  asNumber,
  asObject,
  asObjects,
  asText,
  between,
  ifTrue,
  oneOf,
  time,
  Untranslatable,
  whole,
} from '../../translations/values.ts';

const pdf = { only: 'pdf' } as const;
const screenshot = { only: 'screenshot' } as const;

/** Translates a list of scripts or styles: inline content is kept, URLs are reported. */
const inlined = (ours: string): Counterpart => ({
  ours,
  how: 'the `content` of all tags; tags with a `url` are not supported',
  move(value, report) {
    const tags = asObjects(value);
    if (tags.some(({ content }) => content === undefined)) report('only `content` is supported: load the rest in `js`');
    const texts = tags.flatMap(({ content }) => (content === undefined ? [] : [asText(content)]));
    return texts.length > 0 ? { [ours]: texts.join('\n') } : {};
  },
});

/** Translates a time limit of Puppeteer, where 0 means no limit. */
const timeLimit = renamed(
  'timeout_ms',
  (value, report) => (asNumber(value) === 0 ? 120_000 : time(1, 1_000, 120_000)(value, report)),
  { how: 'for the whole capture; 0 → 120000, the longest', harmless: true },
);

const lengths = { ...pdf, how: 'numbers are pixels' };

const margin = (side: string): Counterpart => ({
  ours: 'margin',
  ...lengths,
  move: (value) => ({ margin: { [side]: lengthOf(value) } }),
});

const table: Table = {
  url: renamed('url', addressOf),
  html: renamed('html', asText),
  'options.type': renamed('format', oneOf({ png: 'png', jpeg: 'jpeg', webp: 'webp' }), screenshot),
  'options.quality': renamed('quality', whole(1, 100), { ...screenshot, harmless: true }),
  'options.fullPage': {
    ours: 'full_page, single_page',
    how: 'for a PDF: one long page',
    harmless: true,
    move(value, report, _given, type) {
      if (type !== 'content') return { [type === 'pdf' ? 'single_page' : 'full_page']: asBoolean(value) };
      report('the content is always that of the full page');
      return {};
    },
  },
  'options.omitBackground': renamed('omit_background', asBoolean, { ...screenshot, harmless: true }),
  'options.clip': {
    ours: 'clip',
    ...screenshot,
    move(value) {
      const { x, y, width, height } = asObject(value);
      return { clip: { x: asNumber(x), y: asNumber(y), width: asNumber(width), height: asNumber(height) } };
    },
  },
  selector: renamed('selector', asText, screenshot),
  scrollPage: renamed('scroll', asBoolean),
  'viewport.width': renamed('width', whole(16, 7_680)),
  'viewport.height': renamed('height', whole(16, 4_320)),
  'viewport.deviceScaleFactor': renamed('device_scale_factor', between(0.5, 4)),
  'gotoOptions.waitUntil': waitUntil,
  'gotoOptions.timeout': timeLimit,
  'waitForSelector.selector': renamed('wait_for_selector', asText),
  waitForTimeout: renamed('delay_ms', time(1, 0, 30_000)),
  addScriptTag: inlined('js'),
  addStyleTag: inlined('css'),
  authenticate: {
    ours: 'basic_auth',
    move(value) {
      const { username, password } = asObject(value);
      return { basic_auth: { username: asText(username), password: asText(password) } };
    },
  },
  cookies: {
    ours: 'cookies',
    how: '`sameSite`, `httpOnly` → `same_site`, `http_only`; `url` → `domain`',
    harmless: true,
    move: (value, report) => ({ cookies: asObjects(value).map((cookie) => cookieFrom(cookie, report)) }),
  },
  setExtraHTTPHeaders: {
    ours: 'headers',
    how: 'they go to the origin of the URL only',
    move: (value) => ({
      headers: Object.fromEntries(Object.entries(asObject(value)).map(([name, text]) => [name, asText(text)])),
    }),
  },
  userAgent: {
    ours: 'user_agent',
    how: 'a string, or `userAgent` of an object',
    move: (value) => ({ user_agent: asText(typeof value === 'string' ? value : asObject(value).userAgent) }),
  },
  emulateMediaType: renamed('media', asText),
  setJavaScriptEnabled: {
    ours: 'block_resources',
    how: 'false → `script`; inline scripts still run',
    move(value, report) {
      if (asBoolean(value)) return {};
      report('scripts are not loaded; inline scripts still run');
      return { block_resources: ['script'] };
    },
  },
  rejectResourceTypes: blockResources,
  '?blockAds': { ours: 'block_ads', move: ifTrue({ block_ads: true }) },
  '?timeout': timeLimit,
  'options.format': renamed('paper', paperOf, { ...pdf, how: '`a3` to `a5`, `letter`, `legal`, `tabloid`' }),
  'options.width': renamed('paper_width', lengthOf, lengths),
  'options.height': renamed('paper_height', lengthOf, lengths),
  'options.landscape': renamed('landscape', asBoolean, pdf),
  'options.scale': renamed('scale', between(0.1, 2), pdf),
  'options.margin.top': margin('top'),
  'options.margin.right': margin('right'),
  'options.margin.bottom': margin('bottom'),
  'options.margin.left': margin('left'),
  'options.pageRanges': renamed('page_ranges', (value) => asText(value).replaceAll(/\s/g, ''), pdf),
  'options.printBackground': renamed('print_background', asBoolean, pdf),
  'options.preferCSSPageSize': renamed('prefer_css_page_size', asBoolean, pdf),
  'options.outline': renamed('outline', asBoolean, pdf),
  'options.tagged': renamed('tagged', asBoolean, pdf),
  'options.headerTemplate': shown('header_html'),
  'options.footerTemplate': shown('footer_html'),
  'options.displayHeaderFooter': {
    ours: 'header_html, footer_html',
    how: 'shown if set',
    ...pdf,
    move: () => ({}),
  },
  ...byEndpoint('keys are sent in a header here: pass it to the client', '?token'),
  ...needless('the element is awaited and captured', 'waitForSelector.timeout', 'waitForSelector.visible'),
  ...none('the element is awaited and captured', 'waitForSelector.hidden'),
  ...none('let the page show an element when ready, and use `wait_for_selector`', 'waitForFunction', 'waitForEvent'),
  ...needless('with `wait_until` `auto`, hanging requests do not stop a capture', 'bestAttempt'),
  ...none('requests are blocked by type: `block_resources`', 'rejectRequestPattern'),
  ...none('responses cannot be mocked', 'requestInterceptors'),
  ...none('choose a `device`', 'viewport.isMobile', 'viewport.hasTouch', 'viewport.isLandscape'),
  ...none('set it in `headers`', 'gotoOptions.referer', 'gotoOptions.referrerPolicy'),
  ...byEndpoint('`capture` returns the file', 'options.encoding'),
  ...none('`capture` returns the file', 'options.path'),
  ...needless('the full capture area is always rendered', 'options.captureBeyondViewport', 'options.fromSurface'),
  ...needless('fast is the default, unless the operator sets PNG_ENCODER=small', 'options.optimizeForSpeed'),
  ...needless('`timeout_ms` is for the whole capture', 'options.timeout'),
  ...needless('captures always wait for fonts', 'options.waitForFonts'),
  ...needless('the platform manages the browser', '?headless'),
  ...none('the platform manages the browser', '?launch', '?stealth', '?proxy', '?blockAdsInclude'),
};

/** Translates a header or footer, which browserless shows only with `displayHeaderFooter`. */
function shown(ours: string): Counterpart {
  return {
    ours,
    ...pdf,
    how: 'if `displayHeaderFooter` is true',
    move: (value, _, given) => (given['options.displayHeaderFooter'] === true ? { [ours]: asText(value) } : {}),
  };
}

/** Parses a length of Puppeteer, where numbers are pixels. */
function lengthOf(value: unknown): string {
  const text = typeof value === 'number' ? `${value}px` : asText(value).trim();
  if (/^\d+(\.\d+)?(px|in|cm|mm)$/.test(text)) return text;
  if (/^\d+(\.\d+)?$/.test(text)) return `${text}px`;
  throw new Untranslatable('is not a length');
}

/**
 * The name of the output with the document as rendered, which browserless' `/content` sends. The file has visible content only.
 */
export const wholeDocument = 'document';

const defaultsOf: Readonly<Record<CaptureKind, Options>> = {
  screenshot: { width: 800, height: 600 },
  pdf: { width: 800, height: 600, paper_width: '8.5in', paper_height: '11in', print_background: false },
  content: {
    width: 800,
    height: 600,
    format: 'html',
    only_main_content: false,
    outputs: [{ kind: 'html', name: wholeDocument }],
  },
};

/** Objects whose fields are rows of the table. */
const nested: ReadonlySet<string> = new Set([
  'options',
  'options.margin',
  'gotoOptions',
  'viewport',
  'waitForSelector',
]);

function flat(given: Options, before = ''): Options {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const place = before + name;
      const isLookedInto = nested.has(place) && typeof value === 'object' && value !== null;
      return isLookedInto ? Object.entries(flat(value as Options, `${place}.`)) : [[place, value]];
    }),
  );
}

export const service: Service = {
  name: 'browserless',
  url: 'https://production-….browserless.io',
  keys: [{ in: 'query', name: 'token' }, { in: 'bearer' }, { in: 'user name' }, { in: 'password' }],
  body: 'json',
  paths: ['POST {,/chromium,/chrome}/{screenshot,pdf,content}'],
  notServed: '`/scrape`, `/function`, WebSocket sessions',
  request: 'A request to browserless: its body as JSON.',
  route: 'with its query, such as `/chromium/pdf?blockAds=true`',
  table,
  kindOf(_, route) {
    const [path = ''] = route.split('?');
    const [, type] = /\/(screenshot|pdf|content)$/.exec(path) ?? [];
    if (type === undefined) throw new TypeError(`The route ${path} has no counterpart.`);
    return type as CaptureKind;
  },
  flatten(given, route) {
    const [, query = ''] = route.split('?');
    const parameters = [...new URLSearchParams(query)].map(([name, value]) => [`?${name}`, value]);
    return { ...flat(given), ...Object.fromEntries(parameters) };
  },
  defaults: (type) => defaultsOf[type],
};
