import { addressOf, cookieOf, headersOf, receiverOf } from '../../translations/http-values.ts';
import { geolocation, languageOf, none, paperOf, rectangleOf, renamed } from '../../translations/rows.ts';
import type { Service } from '../../translations/service.ts';
import type { Counterpart, Options, Table } from '../../translations/table.ts';
import {
  asBoolean,
  asList,
  asNumber,
  asText,
  between,
  ifTrue,
  isTrue,
  oneOf,
  time,
  Untranslatable,
  whole,
} from '../../translations/values.ts';
import { unsupportedByUrlbox } from './unsupported.ts';

const formats = { png: 'png', jpg: 'jpeg', jpeg: 'jpeg', webp: 'webp' };
const waits = {
  domloaded: 'domcontentloaded',
  loaded: 'load',
  requestsfinished: 'networkidle',
  mostrequestsfinished: 'auto',
};
/** Urlbox's presets for all four margins. The default is Chromium's margin of 1 cm. */
const margins = { none: '0', default: '1cm', minimum: '0' };

const blocks = (resource: string) => ({ ours: 'block_resources', move: ifTrue({ block_resources: [resource] }) });
const pixels = (value: unknown) => `${asNumber(value)}px`;
const margin = (side: string) =>
  ({
    ours: 'margin',
    how: 'pixels → `10px`',
    only: 'pdf',
    move: (value: unknown) => ({ margin: { [side]: pixels(value) } }),
  }) as const;
const cookies: Counterpart = {
  ours: 'cookies',
  how: '`name=value;Domain=…` → objects',
  harmless: true,
  move: (value: unknown, report: (why: string) => void) => ({
    cookies: asList(value).map((text) => cookieOf(text, report)),
  }),
};
const headers = {
  ours: 'headers',
  how: '`Name=value` → an object',
  move: (value: unknown) => headersOf(asList(value), '='),
};

const table: Table = {
  url: renamed('url', addressOf, { how: '`http` if there is no scheme' }),
  html: renamed('html', asText),
  format: {
    ours: 'format',
    how: '`jpg` → `jpeg`; `pdf` is a capture of its own kind',
    move: (value) => (value === 'pdf' ? {} : { format: oneOf(formats)(value) }),
  },
  quality: renamed('quality', whole(1, 100), { only: 'screenshot', harmless: true }),
  width: renamed('width', whole(16, 7_680)),
  height: renamed('height', whole(16, 4_320)),
  retina: { ours: 'device_scale_factor', how: 'true → 2', move: ifTrue({ device_scale_factor: 2 }) },
  dpr: renamed('device_scale_factor', between(0.5, 4)),
  full_page: {
    ours: 'full_page, single_page',
    how: 'for a PDF: one long page',
    harmless: true,
    move: (value, _, given) => ({ [given.format === 'pdf' ? 'single_page' : 'full_page']: asBoolean(value) }),
  },
  skip_scroll: { ours: 'scroll', how: 'true → false', move: ifTrue({ scroll: false }) },
  selector: renamed('selector', asText, { only: 'screenshot' }),
  clip: {
    ours: 'clip',
    how: '`x,y,width,height` → an object',
    only: 'screenshot',
    move: (value) => ({ clip: rectangleOf(value) }),
  },
  thumb_width: renamed('resize_width', whole(1, 7_680), { only: 'screenshot' }),
  thumb_height: renamed('resize_height', whole(1, 7_680), { only: 'screenshot' }),
  transparent: { ours: 'omit_background', only: 'screenshot', harmless: true, move: ifTrue({ omit_background: true }) },
  delay: renamed('delay_ms', time(1, 0, 30_000)),
  timeout: renamed('timeout_ms', time(1, 1_000, 120_000), { how: 'for the whole capture', harmless: true }),
  wait_until: renamed('wait_until', oneOf(waits), {
    how: '`domloaded` → `domcontentloaded`, `loaded` → `load`, `requestsfinished` → `networkidle`, `mostrequestsfinished` → `auto`',
  }),
  wait_for: renamed('wait_for_selector', asText, { how: 'a selector that never matches fails the capture' }),
  click: renamed('click', asList),
  hide_selector: {
    ours: 'remove_selectors',
    how: 'split at commas; theirs also uses `display: none`',
    move: (value) => ({
      remove_selectors: asText(value)
        .split(',')
        .map((one) => one.trim()),
    }),
  },
  css: renamed('css', asText),
  js: renamed('js', asText),
  dark_mode: renamed('dark_mode', asBoolean),
  reduced_motion: renamed('reduced_motion', asBoolean),
  media: renamed('media', asText),
  block_ads: { ours: 'block_ads', move: ifTrue({ block_ads: true }) },
  hide_cookie_banners: {
    ours: 'block_cookie_banners',
    how: 'rejected, or hidden where that fails',
    move: ifTrue({ block_cookie_banners: true }),
  },
  block_images: blocks('image'),
  block_medias: blocks('media'),
  block_fonts: blocks('font'),
  block_styles: blocks('stylesheet'),
  block_scripts: blocks('script'),
  block_xhr: blocks('xhr'),
  block_fetch: blocks('fetch'),
  block_sockets: blocks('websocket'),
  block_other: blocks('other'),
  user_agent: {
    ours: 'user_agent',
    how: 'a string; `desktop` is the default',
    move(value) {
      const text = asText(value);
      if (text === 'random' || text === 'mobile')
        throw new Untranslatable(`${text} is not supported: pass a user agent or a \`device\``);
      return text === 'desktop' ? {} : { user_agent: text };
    },
  },
  accept_lang: renamed('locale', languageOf, {
    how: 'the first language; also visible to the page',
  }),
  authorization: {
    ours: 'headers',
    how: 'the `Authorization` header',
    move: (value) => ({ headers: { Authorization: asText(value) } }),
  },
  header: headers,
  headers,
  cookie: cookies,
  cookies,
  tz: renamed('timezone', asText),
  latitude: geolocation('latitude'),
  longitude: geolocation('longitude'),
  accuracy: geolocation('accuracy'),
  fail_on_4xx: { ours: 'fail_on_status', how: 'true → `4xx`', move: ifTrue({ fail_on_status: ['4xx'] }) },
  fail_on_5xx: { ours: 'fail_on_status', how: 'true → `5xx`', move: ifTrue({ fail_on_status: ['5xx'] }) },
  fail_if_captcha: { ours: 'fail_on', how: 'true → `challenge`', move: ifTrue({ fail_on: ['challenge'] }) },
  fail_if_cf_turnstile: { ours: 'fail_on', how: 'true → `challenge`', move: ifTrue({ fail_on: ['challenge'] }) },
  ttl: {
    ours: 'cache_ttl_s',
    how: 'unless `force`',
    move: (value, report, given) => (isTrue(given.force) ? {} : { cache_ttl_s: whole(0, 2_592_000)(value, report) }),
  },
  force: { ours: 'cache_ttl_s', how: 'true means 0, the default here', move: () => ({}) },
  webhook_url: renamed('webhook_url', receiverOf),
  pdf_page_size: renamed('paper', paperOf, { only: 'pdf', how: '`A3` to `A5`, `Letter`, `Legal`, `Tabloid`' }),
  pdf_page_width: renamed('paper_width', pixels, { only: 'pdf', how: 'pixels → `800px`' }),
  pdf_page_height: renamed('paper_height', pixels, { only: 'pdf', how: 'pixels → `800px`' }),
  pdf_page_range: renamed('page_ranges', asText, { only: 'pdf' }),
  pdf_margin: renamed('margin', oneOf(margins), { only: 'pdf', how: '`none`, `minimum` → `0`, `default` → `1cm`' }),
  pdf_margin_top: margin('top'),
  pdf_margin_right: margin('right'),
  pdf_margin_bottom: margin('bottom'),
  pdf_margin_left: margin('left'),
  pdf_orientation: {
    ours: 'landscape',
    only: 'pdf',
    move: (value) => ({ landscape: oneOf({ landscape: true, portrait: false })(value) }),
  },
  pdf_scale: renamed('scale', between(0.1, 2), { only: 'pdf' }),
  pdf_background: renamed('print_background', asBoolean, { only: 'pdf' }),
  pdf_header: shownWith('pdf_show_header', 'header_html'),
  pdf_footer: shownWith('pdf_show_footer', 'footer_html'),
  pdf_show_header: { ours: 'header_html', how: 'with `pdf_header`', only: 'pdf', move: defaultLine('pdf_header') },
  pdf_show_footer: { ours: 'footer_html', how: 'with `pdf_footer`', only: 'pdf', move: defaultLine('pdf_footer') },
  ...none('banners are rejected, never accepted', 'click_accept', 'accept_cookies'),
  ...unsupportedByUrlbox,
};

/** Translates a header or footer, which Urlbox shows only if enabled. */
function shownWith(flag: string, ours: string) {
  return {
    ours,
    how: `if \`${flag}\` is true`,
    only: 'pdf',
    move: (value: unknown, _: unknown, given: Options) => (isTrue(given[flag]) ? { [ours]: asText(value) } : {}),
  } as const;
}

function defaultLine(template: string) {
  return (value: unknown, report: (why: string) => void, given: Options): Options => {
    if (asBoolean(value) && given[template] === undefined)
      report(`there is no default template: also set \`${template}\``);
    return {};
  };
}

export const service: Service = {
  name: 'Urlbox',
  url: 'https://api.urlbox.com',
  keys: [{ in: 'bearer' }],
  body: 'json',
  paths: [
    'POST /v1/render/{sync,async}',
    'POST /v1/screenshot{,/async}',
    'GET /v1/render/:id',
    'GET /v1/:key/:token/:format',
  ],
  notServed: 'render links without a token',
  request: "A request to Urlbox's `/v1/render/sync` or `/async`, or the options of a render link.",
  table,
  kindOf: ({ format }) => (format === 'pdf' ? 'pdf' : 'screenshot'),
  defaults: () => ({ width: 1_280, height: 1_024 }),
};
