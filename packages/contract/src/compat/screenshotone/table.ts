import { addressOf, cookieOf, headersOf, receiverOf } from '../../translations/http-values.ts';
import {
  blockResources,
  byEndpoint,
  geolocation,
  needless,
  none,
  paperOf,
  renamed,
  waitUntil,
} from '../../translations/rows.ts';
import type { Options, Table } from '../../translations/table.ts';
import { type Service, type Translation, translate } from '../../translations/translate.ts';
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
  whole,
} from '../../translations/values.ts';

const formats = { png: 'png', jpeg: 'jpeg', jpg: 'jpeg', webp: 'webp' };
const clip = (side: string) =>
  ({ ours: 'clip', only: 'screenshot', move: (value: unknown) => ({ clip: { [side]: asNumber(value) } }) }) as const;
const margin = (side: string) =>
  ({ ours: 'margin', only: 'pdf', move: (value: unknown) => ({ margin: { [side]: asText(value) } }) }) as const;
const table: Table = {
  url: renamed('url', addressOf),
  html: renamed('html', asText),
  format: {
    ours: 'format',
    how: '`jpg` → `jpeg`; `pdf` is a capture of its own kind',
    move: (value) => (value === 'pdf' ? {} : { format: oneOf(formats)(value) }),
  },
  image_quality: renamed('quality', whole(1, 100), { only: 'screenshot', harmless: true }),
  image_width: renamed('resize_width', whole(1, 7_680), { only: 'screenshot' }),
  image_height: renamed('resize_height', whole(1, 7_680), { only: 'screenshot' }),
  omit_background: renamed('omit_background', asBoolean, { only: 'screenshot', harmless: true }),
  viewport_width: renamed('width', whole(16, 7_680)),
  viewport_height: renamed('height', whole(16, 4_320)),
  device_scale_factor: renamed('device_scale_factor', between(0.5, 4)),
  viewport_device: renamed('device', (value) => asText(value).replaceAll('_', ' '), {
    how: '`iphone_13_pro` → `iphone 13 pro`',
  }),
  full_page: renamed('full_page', asBoolean, { only: 'screenshot', harmless: true }),
  full_page_scroll: renamed('scroll', asBoolean),
  selector: renamed('selector', asText, { only: 'screenshot' }),
  clip_x: clip('x'),
  clip_y: clip('y'),
  clip_width: clip('width'),
  clip_height: clip('height'),
  delay: renamed('delay_ms', time(1_000, 0, 30_000), { how: 'seconds → milliseconds' }),
  timeout: renamed('timeout_ms', time(1_000, 1_000, 120_000), { how: 'seconds → milliseconds', harmless: true }),
  wait_until: waitUntil,
  wait_for_selector: renamed('wait_for_selector', asText),
  click: renamed('click', asText),
  hide_selectors: renamed('hide_selectors', asList),
  scripts: renamed('js', asText),
  styles: renamed('css', asText),
  dark_mode: renamed('dark_mode', asBoolean),
  reduced_motion: renamed('reduced_motion', asBoolean),
  media_type: renamed('media', asText),
  time_zone: renamed('timezone', asText),
  geolocation_latitude: geolocation('latitude'),
  geolocation_longitude: geolocation('longitude'),
  geolocation_accuracy: geolocation('accuracy'),
  block_ads: { ours: 'block_ads', move: ifTrue({ block_ads: true }) },
  block_trackers: { ours: 'block_ads', how: 'trackers are blocked with ads', move: ifTrue({ block_ads: true }) },
  block_cookie_banners: { ours: 'block_cookie_banners', move: ifTrue({ block_cookie_banners: true }) },
  block_banners_by_heuristics: { ours: 'block_cookie_banners', move: ifTrue({ block_cookie_banners: true }) },
  block_resources: blockResources,
  user_agent: renamed('user_agent', asText),
  authorization: {
    ours: 'headers',
    how: 'the `Authorization` header',
    move: (value) => ({ headers: { Authorization: asText(value) } }),
  },
  headers: { ours: 'headers', how: '`Name:value` → an object', move: (value) => headersOf(asList(value), ':') },
  cookies: {
    ours: 'cookies',
    how: '`name=value; Domain=…` → objects',
    harmless: true,
    move: (value, report) => ({ cookies: asList(value).map((text) => cookieOf(text, report)) }),
  },
  cache_ttl: {
    ours: 'cache_ttl_s',
    how: 'if `cache` is true',
    move: (value, report, given) => (isTrue(given.cache) ? { cache_ttl_s: whole(0, 2_592_000)(value, report) } : {}),
  },
  cache: {
    ours: 'cache_ttl_s',
    how: 'four hours unless `cache_ttl` is set',
    move: (value, _, given) => (asBoolean(value) && given.cache_ttl === undefined ? { cache_ttl_s: 14_400 } : {}),
  },
  webhook_url: renamed('webhook_url', receiverOf),
  external_identifier: {
    ours: 'metadata',
    how: 'returned in the record, as `external_identifier`',
    move: (value) => ({ metadata: { external_identifier: asText(value) } }),
  },
  pdf_margin: {
    ours: 'margin',
    only: 'pdf',
    move: (value) => ({
      margin: Object.fromEntries(['top', 'right', 'bottom', 'left'].map((side) => [side, asText(value)])),
    }),
  },
  pdf_margin_top: margin('top'),
  pdf_margin_right: margin('right'),
  pdf_margin_bottom: margin('bottom'),
  pdf_margin_left: margin('left'),
  pdf_print_background: renamed('print_background', asBoolean, { only: 'pdf' }),
  pdf_fit_one_page: renamed('single_page', asBoolean, { only: 'pdf' }),
  pdf_landscape: renamed('landscape', asBoolean, { only: 'pdf' }),
  pdf_paper_format: renamed('paper', paperOf, { only: 'pdf', how: '`a3` to `a5`, `letter`, `legal`, `tabloid`' }),
  ignore_host_errors: {
    ours: 'fail_on_status',
    how: 'unless true, `4xx` and `5xx` fail, as with theirs',
    move: () => ({}),
  },
  ...needless('a `selector` that matches nothing always fails', 'error_on_selector_not_found'),
  ...byEndpoint('keys are sent in a header here: pass it to the client', 'access_key'),
  ...needless('the key proves who sends a request; sign a link for a public image', 'signature'),
  ...byEndpoint('use `captures.create`, which returns at once', 'async'),
  ...byEndpoint('`capture` returns the file, `captures.take` the record', 'response_type'),
  ...needless('every event is signed, and failures send events too', 'webhook_sign', 'webhook_errors'),
  ...byEndpoint('convert it to HTML first and pass it as `html`', 'markdown'),
  ...none('set the final size as `width` and `height`', 'viewport_landscape', 'viewport_mobile', 'viewport_has_touch'),
  ...needless('a full page is rendered at once', 'full_page_algorithm'),
  ...none('a full page is one image here, up to 100,000 pixels high', 'full_page_max_height'),
  ...none(
    'a full page is one image here',
    'full_page_slices',
    'full_page_slice_height',
    'full_page_slice_overlap_height',
  ),
  ...needless('scrolling is automatic', 'full_page_scroll_delay', 'full_page_scroll_by'),
  ...needless(
    'the full element is captured',
    'selector_algorithm',
    'selector_scroll_into_view',
    'capture_beyond_viewport',
  ),
  ...none(
    'do it in `js`',
    'scroll_into_view',
    'scroll_into_view_adjust_top',
    'hover',
    'error_on_hover_selector_not_found',
  ),
  ...needless('a `click` that matches nothing always fails', 'error_on_click_selector_not_found'),
  ...needless('`js` runs when the page is ready, regardless of its CSP', 'scripts_wait_until', 'bypass_csp'),
  ...none('one match is enough', 'wait_for_selector_algorithm'),
  ...needless('`timeout_ms` is for the whole capture', 'navigation_timeout'),
  ...none('hide them with `hide_selectors`', 'block_chats', 'block_socials', 'block_annoyances'),
  ...none('requests are blocked by type: `block_resources`', 'block_requests'),
  ...none('captures use the network of the platform', 'proxy', 'ip_country_code', 'servers_region'),
  ...none('identical requests share a cache entry', 'cache_key'),
  ...none(
    'the platform stores files: download them from `file_url`',
    ...[
      'store',
      'storage_bucket',
      'storage_path',
      'storage_endpoint',
      'storage_access_key_id',
      'storage_secret_access_key',
    ],
    ...['storage_acl', 'storage_class', 'storage_return_location', 'attachment_name'],
  ),
  ...none(
    'see the record and its receipt',
    ...['metadata_image_size', 'metadata_fonts', 'metadata_content', 'metadata_content_format', 'metadata_page_title'],
    ...['metadata_open_graph', 'metadata_icon', 'metadata_http_response_status_code', 'metadata_http_response_headers'],
  ),
  ...none('check the receipt', 'fail_if_content_contains', 'fail_if_content_missing', 'fail_if_request_failed'),
  ...needless('pages are rendered without a GPU', 'request_gpu_rendering'),
  ...none('pages are rendered without a GPU', 'fail_if_gpu_rendering_fails'),
  ...none('image descriptions are not supported', 'vision_prompt', 'vision_max_tokens', 'openai_api_key'),
  ...none('write it into the selector', 'include_shadow_dom'),
};

export const screenshotOne: Service = {
  name: 'ScreenshotOne',
  table,
  defaults: (type, given) => ({
    width: 1_280,
    height: 1_024,
    ...(type === 'screenshot' && { format: 'jpeg' }),
    ...(!isTrue(given.ignore_host_errors) && { fail_on_status: ['4xx', '5xx'] }),
  }),
};

/** A request to ScreenshotOne's `/take`: the parameters of its query, or its JSON body. */
export function fromScreenshotOne(given: Options): Translation {
  return translate(screenshotOne, given.format === 'pdf' ? 'pdf' : 'screenshot', given);
}
