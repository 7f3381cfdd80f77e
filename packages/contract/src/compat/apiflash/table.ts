import { addressOf, cookieOf, headersOf } from '../../translations/http-values.ts';
import { byEndpoint, geolocation, languageOf, none, rectangleOf, renamed } from '../../translations/rows.ts';
import type { Service } from '../../translations/service.ts';
import type { Table } from '../../translations/table.ts';
import {
  asBoolean,
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

const waits = { dom_loaded: 'domcontentloaded', page_loaded: 'load', network_idle: 'networkidle' };

/** Returns the parts of a text such as `a=1;b=2`. */
const parts = (value: unknown) => asText(value).split(';').filter(Boolean);

const table: Table = {
  url: renamed('url', addressOf),
  format: renamed('format', oneOf({ jpeg: 'jpeg', png: 'png', webp: 'webp' })),
  quality: renamed('quality', whole(1, 100), { harmless: true }),
  width: renamed('width', whole(16, 7_680)),
  height: renamed('height', whole(16, 4_320)),
  scale_factor: renamed('device_scale_factor', between(0.5, 4)),
  full_page: renamed('full_page', asBoolean, { harmless: true }),
  scroll_page: renamed('scroll', asBoolean),
  element: renamed('selector', asText),
  crop: {
    ours: 'clip',
    how: '`left,top,width,height` → an object',
    move: (value) => ({ clip: rectangleOf(value) }),
  },
  thumbnail_width: {
    ours: 'resize_width',
    how: '0 means none',
    move: (value, report) => (asNumber(value) === 0 ? {} : { resize_width: whole(1, 7_680)(value, report) }),
  },
  transparent: {
    ours: 'omit_background',
    how: 'png only, like theirs',
    harmless: true,
    move: ifTrue({ omit_background: true }),
  },
  delay: renamed('delay_ms', time(1_000, 0, 30_000), { how: 'seconds → milliseconds' }),
  wait_until: renamed('wait_until', oneOf(waits), {
    how: '`dom_loaded` → `domcontentloaded`, `page_loaded` → `load`, `network_idle` → `networkidle`',
  }),
  wait_until_timeout: renamed('timeout_ms', time(1_000, 1_000, 120_000), {
    how: 'seconds → milliseconds; for the whole capture, which then fails',
    harmless: true,
  }),
  wait_for: renamed('wait_for_selector', asText),
  css: renamed('css', asText),
  js: renamed('js', asText),
  no_ads: { ours: 'block_ads', move: ifTrue({ block_ads: true }) },
  no_tracking: { ours: 'block_ads', how: 'trackers are blocked with ads', move: ifTrue({ block_ads: true }) },
  no_cookie_banners: { ours: 'block_cookie_banners', move: ifTrue({ block_cookie_banners: true }) },
  user_agent: renamed('user_agent', asText),
  accept_language: renamed('locale', languageOf, {
    how: 'the first language; also visible to the page',
  }),
  headers: { ours: 'headers', how: '`a=1;b=2` → an object', move: (value) => headersOf(parts(value), '=') },
  cookies: {
    ours: 'cookies',
    how: '`a=1;b=2` → objects',
    harmless: true,
    move: (value, report) => ({ cookies: parts(value).map((pair) => cookieOf(pair, report)) }),
  },
  latitude: geolocation('latitude'),
  longitude: geolocation('longitude'),
  accuracy: geolocation('accuracy'),
  time_zone: renamed('timezone', asText),
  fail_on_status: {
    ours: 'fail_on_status',
    how: '`400,404,500-511` → a list; a range of 100 becomes its class',
    move: (value) => ({ fail_on_status: statusesOf(asText(value)) }),
  },
  ttl: {
    ours: 'cache_ttl_s',
    how: 'unless `fresh`',
    move: (value, report, given) => (isTrue(given.fresh) ? {} : { cache_ttl_s: whole(0, 2_592_000)(value, report) }),
  },
  fresh: { ours: 'cache_ttl_s', how: 'true means 0, the default here', move: () => ({}) },
  ...byEndpoint('keys are sent in a header here: pass it to the client', 'access_key'),
  ...byEndpoint('`capture` returns the file, `captures.take` the record', 'response_type'),
  ...none('an element is captured with anything that overlaps it', 'element_overlap'),
  ...none('extraction is not supported', 'extract_html', 'extract_text'),
  ...none('captures use the network of the platform', 'proxy', 'ip_location'),
  ...none(
    'the platform stores files: download them from `file_url`',
    ...['s3_access_key_id', 's3_secret_key', 's3_bucket', 's3_key', 's3_endpoint', 's3_region'],
  ),
};

/** Expands `400,404,500-511`, up to the number of statuses that the platform accepts. */
function statusesOf(text: string): (number | string)[] {
  const parts = text.split(',', 51);
  if (parts.length > 50) throw new Untranslatable('has more than 50 statuses');
  return parts.flatMap(statusesOfPart);
}

/** Expands a status or a range such as `500-511`, which must not be larger than a class of statuses. */
function statusesOfPart(part: string): (number | string)[] {
  const [first = 0, last = first] = part.split('-').map((text) => asNumber(text));
  const hundred = Math.floor(first / 100);
  if (last - first > 30) return [`${hundred}xx`];
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

export const service: Service = {
  name: 'ApiFlash',
  url: 'https://api.apiflash.com',
  keys: [
    { in: 'query', name: 'access_key' },
    { in: 'form', name: 'access_key' },
  ],
  body: 'form',
  paths: ['GET /v1/urltoimage', 'POST /v1/urltoimage', 'GET /v1/urltoimage/quota'],
  request: "A request to ApiFlash's `/v1/urltoimage`: the parameters of its query or form.",
  table,
  kindOf: () => 'screenshot',
  defaults: () => ({ format: 'jpeg', width: 1_920, height: 1_080 }),
};
