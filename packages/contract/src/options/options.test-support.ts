import { outputKinds } from '../events/events.ts';
import { qualityReasonNames } from '../quality.ts';

/** Valid and invalid values of every option. The tests compare the list with the schemas. */
export interface OptionCase {
  /** Other options of the request. */
  with?: Record<string, unknown>;
  taken: unknown[];
  /** An invalid value and the message about it, which begins with the field. */
  refused: [value: unknown, fault: string][];
}

const atMost = (name: string, count: number) => `${name} must have at most ${count} entries`;
const selectors = (name: string): OptionCase => ({
  taken: [[], ['.a'], [':is(.a, .b)', '[title="a,b"]', '[hidden]'], Array(50).fill('p')],
  refused: [
    [Array(51).fill('p'), atMost(name, 50)],
    [[''], `${name}.0 must not be empty`],
    [{ a: 1 }, `${name} must be an array`],
    [[{}], `${name}.0 must be text`],
  ],
});
const flag = (name: string): OptionCase => ({
  taken: [true, false],
  refused: [
    ['yes', `${name} must be true or false`],
    [2, `${name} must be true or false`],
    [null, `${name} must be true or false`],
  ],
});
const numbers = (name: string, least: number, most: number, whole = true): OptionCase => ({
  taken: [least, most],
  refused: [
    [least - 1, `${name} must be at least ${least}`],
    [most + 1, `${name} must be at most ${most}`],
    ['wide', `${name} must be a number`],
    ...[null, true, [least]].map((value) => [value, `${name} must be a number`] as [unknown, string]),
    ...(whole ? [[least + 0.5, `${name} must be a whole number`] as [number, string]] : []),
  ],
});
const words = (name: string, ...values: string[]): OptionCase => ({
  taken: values,
  refused: [
    ['other', `${name} must be one of ${values.join(', ')}`],
    [values.slice(0, 1), `${name} must be one of ${values.join(', ')}`],
    [
      values[0]?.toUpperCase() === values[0] ? 'x' : values[0]?.toUpperCase(),
      `${name} must be one of ${values.join(', ')}`,
    ],
  ],
});
const kilobytes = (name: string, most: number): OptionCase => ({
  taken: ['', 'a { b: c }', 'x'.repeat(most * 1_024)],
  refused: [
    ['x'.repeat(most * 1_024 + 1), `${name} must be at most ${most} kB`],
    ['ä'.repeat(most * 512 + 1), `${name} must be at most ${most} kB`],
    [{}, `${name} must be text`],
  ],
});
const aLength = 'must be a length such as 10mm, 2.5cm, 8.5in, 300px or 0';
const paper = (name: string): OptionCase => ({
  taken: ['16px', '100mm', '2.5cm', '8.5in', '300px', '200in'],
  refused: [
    ['0', `${name} must be at least 16px`],
    ['1mm', `${name} must be at least 16px`],
    ['201in', `${name} must be at most 200in`],
    ['10', `${name} ${aLength}`],
    ['10 mm', `${name} ${aLength}`],
    ['10pt', `${name} ${aLength}`],
    ['-10mm', `${name} ${aLength}`],
    ['', `${name} ${aLength}`],
    [true, `${name} ${aLength}`],
  ],
});
const aHeader = 'must have no line breaks, control characters or characters beyond Latin-1 in it';
const manyValues = (count: number, length: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'x'.repeat(length)]));
const cookie = { name: 'a', value: 'b' };

export const pageCases: Record<string, OptionCase> = {
  outputs: {
    taken: [
      [],
      [{ kind: 'pdf', paper: 'A5' }, { kind: 'mhtml' }, { kind: 'accessibility' }, { kind: 'har' }],
      [
        { kind: 'screenshot', name: 'narrow', width: 400, full_page: true, format: 'webp', quality: 60 },
        { kind: 'screenshot', name: 'phone', device: 'iPhone 15 Pro', dark_mode: true },
        { kind: 'og_image', template: 'card', theme: 'dark' },
        { kind: 'html' },
        { kind: 'text', include_selectors: ['main'] },
      ],
    ],
    refused: [
      [[{}], `outputs.0.kind must be one of ${outputKinds.join(', ')}`],
      [[{ kind: 'video' }], `outputs.0.kind must be one of ${outputKinds.join(', ')}`],
      [[{ kind: 'har' }, { kind: 'screenshot', width: 5 }], 'outputs.1.width must be at least 16'],
      [[{ kind: 'har', width: 500 }], 'outputs.0.width is an option of other kinds'],
      [[{ kind: 'screenshot', quality: 50 }], 'outputs.0.quality is not an option of png'],
      [[{ kind: 'screenshot', device: 'iPhone 15 Pro', width: 400 }], 'outputs.0.width cannot be combined with device'],
      [[{ kind: 'pdf', paper: 'A4', paper_width: '9in' }], 'outputs.0.paper_width cannot be combined with paper'],
      [[{ kind: 'og_image', title: 'Title' }], 'outputs.0.title requires template=card'],
      [[{ kind: 'har', name: 'Network log' }], 'outputs.0.name must be up to 40 lower-case letters'],
      [
        [
          { kind: 'har', name: 'one' },
          { kind: 'mhtml', name: 'one' },
        ],
        'outputs.1.name is the name of another output',
      ],
      [Array.from({ length: 11 }, () => ({ kind: 'har' })), 'outputs must have at most 10 entries'],
      [
        [400, 500, 600, 700, 800].map((width) => ({ kind: 'screenshot', width, full_page: true })),
        'outputs must load the page at most 4 times',
      ],
    ],
  },
  html: {
    with: { url: undefined },
    taken: ['<h1>ä</h1>', ''],
    refused: [['x'.repeat(2_097_153), 'html must be at most 2 MB']],
  },
  wait_until: words('wait_until', 'auto', 'load', 'domcontentloaded', 'networkidle'),
  wait_for_selector: {
    taken: ['#a, .b', '[hidden]'],
    refused: [
      ['', 'wait_for_selector must not be empty'],
      ['x'.repeat(10_001), 'wait_for_selector must be at most 10000 characters'],
      [['#a'], 'wait_for_selector must be text'],
    ],
  },
  delay_ms: numbers('delay_ms', 0, 30_000),
  timeout_ms: numbers('timeout_ms', 1_000, 120_000),
  fail_on_status: {
    taken: [[], [404, '5xx'], [100, 599], ['1xx', '2xx', '3xx', '4xx']],
    refused: [
      [[99], 'fail_on_status.0 must be at least 100'],
      [[600], 'fail_on_status.0 must be at most 599'],
      [[200, '6xx'], 'fail_on_status.1 must be a status from 100 to 599, or a class such as 5xx'],
      [['5XX'], 'fail_on_status.0 must be a status from 100 to 599, or a class such as 5xx'],
      [[true], 'fail_on_status.0 must be a status from 100 to 599, or a class such as 5xx'],
      [{}, 'fail_on_status must be an array'],
    ],
  },
  fail_on: {
    taken: [[], ['blank'], qualityReasonNames],
    refused: [
      [['blank', 'ugly'], `fail_on.1 must be one of ${qualityReasonNames.join(', ')}`],
      [Array(51).fill('blank'), atMost('fail_on', 50)],
      [{}, 'fail_on must be an array'],
    ],
  },
  accept_truncated: flag('accept_truncated'),
  isolation: words('isolation', 'auto', 'account', 'site', 'strict'),
  scroll: flag('scroll'),
  click: {
    taken: ['#a, #b', '[hidden]', ['#a'], [], Array(10).fill('a')],
    refused: [
      ['', 'click must not be empty'],
      [Array(11).fill('a'), 'click must be a CSS selector, or an array of up to 10 of them'],
      [['', 'a'], 'click.0 must not be empty'],
      [[7], 'click must be a CSS selector, or an array of up to 10 of them'],
    ],
  },
  hide_selectors: selectors('hide_selectors'),
  remove_selectors: selectors('remove_selectors'),
  css: kilobytes('css', 100),
  js: kilobytes('js', 100),
  headers: {
    taken: [{}, { 'X-A': '1', authorization: 'Bearer ü', 'accept-language': 'de\tat' }],
    refused: [
      [{ 'X-A': 'a\r\nHost: evil' }, `headers.X-A ${aHeader}`],
      [{ 'X-A': 'a\n' }, `headers.X-A ${aHeader}`],
      [{ 'X-A': '☂' }, `headers.X-A ${aHeader}`],
      [{ 'X-A': 'x'.repeat(8_193) }, 'headers.X-A must be at most 8192 characters'],
      [{ 'X-A': 7 }, 'headers.X-A must be text'],
      [{ 'X A': '1' }, 'headers.X A is not the name of a header'],
      [{ 'X-A\r\nB': '1' }, 'headers.X-A\r\nB is not the name of a header'],
      [{ '': '1' }, 'headers. is not the name of a header'],
      [{ ':path': '/' }, 'headers.:path is not the name of a header'],
      [{ 'X-A': '1', 'x-a': '2' }, 'headers.x-a is given twice'],
      [{ Host: 'a' }, 'headers.Host may not be set: it is set by the browser from the URL'],
      [{ 'content-length': '1' }, 'headers.content-length may not be set: it is set by the browser'],
      [{ Cookie: 'a=b' }, 'headers.Cookie may not be set: it is given as the option cookies'],
      [{ 'User-Agent': 'a' }, 'headers.User-Agent may not be set: it is given as the option user_agent'],
      [{ Connection: 'a' }, 'headers.Connection may not be set: it belongs to the connection'],
      [{ 'Transfer-Encoding': 'a' }, 'headers.Transfer-Encoding may not be set: it belongs to the connection'],
      [{ 'Proxy-Authorization': 'a' }, 'headers.Proxy-Authorization may not be set: it belongs to the connection'],
      [manyValues(51, 0), 'headers must have at most 50 values'],
      [['a'], 'headers must be an object'],
    ],
  },
  cookies: {
    taken: [
      [],
      [{ ...cookie, domain: '.example.com', path: '/a', secure: true, http_only: true, same_site: 'None' }],
      Array(50).fill(cookie),
    ],
    refused: [
      [Array(51).fill(cookie), atMost('cookies', 50)],
      [[{ name: 'a' }], 'cookies.0.value is required'],
      [[{ ...cookie, name: 'a=b' }], 'cookies.0.name is not the name of a cookie'],
      [[cookie, { ...cookie, value: 'a;b' }], 'cookies.1.value must have no semicolon or control character in it'],
      [[{ ...cookie, value: 'a\nb' }], 'cookies.0.value must have no semicolon or control character in it'],
      [[{ ...cookie, value: 'x'.repeat(4_096) }], 'cookies.0.value must be at most 4096 bytes with its name'],
      [[{ ...cookie, domain: 'https://a' }], 'cookies.0.domain must be a host name'],
      [[{ ...cookie, path: 'a' }], 'cookies.0.path must begin with /'],
      [[{ ...cookie, secure: 'true' }], 'cookies.0.secure must be true or false'],
      [[{ ...cookie, same_site: 'lax' }], 'cookies.0.same_site must be one of Strict, Lax, None'],
      [[{ ...cookie, same_site: 'None' }], 'cookies.0.same_site None needs secure to be true'],
      [[{ ...cookie, httpOnly: true }], 'cookies.0.httpOnly is not known here'],
      [{}, 'cookies must be an array'],
    ],
  },
  user_agent: {
    taken: ['Mozilla/5.0 (compatible)'],
    refused: [
      ['', 'user_agent must not be empty'],
      ['a\r\nb', `user_agent ${aHeader}`],
      ['x'.repeat(1_025), 'user_agent must be at most 1024 characters'],
    ],
  },
  basic_auth: {
    taken: [
      { username: 'ada', password: 'a:b ü☂' },
      { username: '', password: '' },
    ],
    refused: [
      [{ username: 'a:b', password: '' }, 'basic_auth.username must have no colon or control character in it'],
      [{ username: 'a', password: 'b\n' }, 'basic_auth.password must have no control character in it'],
      [{ username: 'a' }, 'basic_auth.password is required'],
      ['ada:secret', 'basic_auth must be an object'],
    ],
  },
  locale: {
    taken: ['de-AT', 'zh-Hant-TW', 'en', 'EN-us'],
    refused: [
      ['english', 'locale must be a BCP 47 language tag, such as de-AT'],
      ['de_AT', 'locale must be a BCP 47 language tag, such as de-AT'],
      ['', 'locale must be a BCP 47 language tag, such as de-AT'],
      ['a', 'locale must be a BCP 47 language tag, such as de-AT'],
    ],
  },
  timezone: {
    taken: ['UTC', 'Europe/Vienna', 'america/new_york', 'Asia/Kolkata'],
    refused: [
      ['Vienna', 'timezone must be the IANA name of a time zone, such as Europe/Vienna'],
      ['+01:00', 'timezone must be the IANA name of a time zone, such as Europe/Vienna'],
      ['', 'timezone must be the IANA name of a time zone, such as Europe/Vienna'],
    ],
  },
  geolocation: {
    taken: [
      { latitude: -90, longitude: 180 },
      { latitude: 48.2, longitude: 16.4, accuracy: 10 },
    ],
    refused: [
      [{ latitude: 90.1, longitude: 0 }, 'geolocation.latitude must be at most 90'],
      [{ latitude: 0, longitude: -181 }, 'geolocation.longitude must be at least -180'],
      [{ latitude: 0, longitude: 0, accuracy: -1 }, 'geolocation.accuracy must be at least 0'],
      [{ latitude: 0 }, 'geolocation.longitude is required'],
      [{ latitude: '0', longitude: 0 }, 'geolocation.latitude must be a number'],
      [{ latitude: 0, longitude: 0, altitude: 1 }, 'geolocation.altitude is not known here'],
    ],
  },
  dark_mode: flag('dark_mode'),
  reduced_motion: flag('reduced_motion'),
  media: words('media', 'screen', 'print'),
  block_ads: flag('block_ads'),
  block_cookie_banners: flag('block_cookie_banners'),
  block_resources: {
    taken: [[], ['image', 'media', 'font', 'stylesheet', 'script', 'xhr', 'fetch', 'websocket', 'other']],
    refused: [
      [
        ['image', 'images'],
        'block_resources.1 must be one of image, media, font, stylesheet, script, xhr, fetch, websocket, other',
      ],
    ],
  },
  preset: {
    taken: ['shop', 'shop@3', '1-a_b'],
    refused: [
      ['Shop', 'preset must be the name of a preset, such as shop or shop@3'],
      ['shop@0', 'preset must be the name of a preset, such as shop or shop@3'],
      [3, 'preset must be text'],
    ],
  },
  cache_ttl_s: numbers('cache_ttl_s', 0, 2_592_000),
  metadata: {
    taken: [{}, { order: '4711', 'any name': '☂' }, manyValues(20, 150)],
    refused: [
      [{ order: 4711 }, 'metadata.order must be text'],
      [{ order: { deep: 'x' } }, 'metadata.order must be text'],
      [['a'], 'metadata must be an object'],
      ['order', 'metadata must be an object'],
      [{ order: 'x\u0000' }, 'metadata.order must not contain NUL or half a surrogate pair'],
      [manyValues(21, 1), 'metadata must have at most 20 values'],
      [manyValues(20, 200), 'metadata must be at most 4 kB as JSON'],
      [{ order: 'ä'.repeat(2_048) }, 'metadata must be at most 4 kB as JSON'],
    ],
  },
};

export const viewportCases: Record<string, OptionCase> = {
  width: numbers('width', 16, 7_680),
  height: numbers('height', 16, 4_320),
  device_scale_factor: numbers('device_scale_factor', 0.5, 4, false),
  device: {
    taken: ['iPhone 15 Pro', 'IPAD LANDSCAPE', 'galaxy s9+'],
    refused: [
      ['iPhone 99', 'device must be a device that Puppeteer knows, such as iPhone 15 Pro or iPad landscape'],
      ['constructor', 'device must be a device that Puppeteer knows, such as iPhone 15 Pro or iPad landscape'],
    ],
  },
};

const imageCases: Record<string, OptionCase> = {
  format: words('format', 'png', 'jpeg', 'webp'),
  quality: { with: { format: 'webp' }, ...numbers('quality', 1, 100) },
};

export const screenshotCases: Record<string, OptionCase> = {
  ...imageCases,
  full_page: flag('full_page'),
  selector: { taken: ['#a > [b="c"]'], refused: [['', 'selector must not be empty']] },
  clip: {
    taken: [
      { x: 0, y: 0, width: 1, height: 1 },
      { x: 0.5, y: 100_000, width: 100_000, height: 1.5 },
    ],
    refused: [
      [{ x: -1, y: 0, width: 1, height: 1 }, 'clip.x must be at least 0'],
      [{ x: 0, y: 0, width: 0, height: 1 }, 'clip.width must be at least 1'],
      [{ x: 0, y: 0, width: 1, height: 100_001 }, 'clip.height must be at most 100000'],
      [{ x: 0, y: 0, width: 1 }, 'clip.height is required'],
      [{ x: 0, y: 0, width: 1, height: 1, scale: 2 }, 'clip.scale is not known here'],
      ['0,0,1,1', 'clip must be an object'],
    ],
  },
  omit_background: flag('omit_background'),
  resize_width: numbers('resize_width', 1, 7_680),
  resize_height: numbers('resize_height', 1, 7_680),
};

export const pdfCases: Record<string, OptionCase> = {
  paper: words('paper', 'A3', 'A4', 'A5', 'Letter', 'Legal', 'Tabloid'),
  paper_width: paper('paper_width'),
  paper_height: paper('paper_height'),
  margin: {
    taken: ['0', 0, '10mm', '2.5cm', { top: '20mm' }, { top: '1in', right: 0, bottom: '10px', left: '0' }],
    refused: [
      ['10', `margin ${aLength}`],
      ['wide', `margin ${aLength}`],
      [{ top: 'wide' }, `margin.top ${aLength}`],
      [{ middle: '1mm' }, 'margin.middle is not known here'],
      [{ top: true }, 'margin must be a length such as 10mm, or an object of top, right, bottom and left'],
      [5, 'margin must be a length such as 10mm, or an object of top, right, bottom and left'],
      ['105mm', 'margin leaves no room on the paper'],
      [{ top: '148.5mm', bottom: '148.5mm' }, 'margin leaves no room on the paper'],
    ],
  },
  landscape: flag('landscape'),
  prefer_css_page_size: flag('prefer_css_page_size'),
  single_page: flag('single_page'),
  outline: flag('outline'),
  print_background: flag('print_background'),
  tagged: flag('tagged'),
  scale: {
    taken: [0.1, 2, 1],
    refused: [
      [0.09, 'scale must be at least 0.1'],
      [2.01, 'scale must be at most 2'],
    ],
  },
  page_ranges: {
    taken: ['1', '1-3,5', ' 2 - 2 , 7-100000'],
    refused: [
      ['', 'page_ranges must be pages and ranges of them, such as 1-3,5'],
      ['1-', 'page_ranges must be pages and ranges of them, such as 1-3,5'],
      ['1,,2', 'page_ranges must be pages and ranges of them, such as 1-3,5'],
      ['a', 'page_ranges must be pages and ranges of them, such as 1-3,5'],
      ['0-3', 'page_ranges must name pages from 1 to 100000'],
      ['1-100001', 'page_ranges must name pages from 1 to 100000'],
      ['5-3', 'page_ranges has a range that ends before it begins: 5-3'],
    ],
  },
  header_html: kilobytes('header_html', 100),
  footer_html: kilobytes('footer_html', 100),
};

export const ogImageCases: Record<string, OptionCase> = {
  ...imageCases,
  template: words('template', 'page', 'card'),
  title: {
    with: { template: 'card' },
    taken: ['A title', 'ä'.repeat(1_000)],
    refused: [
      ['', 'title must not be empty'],
      ['x'.repeat(1_001), 'title must be at most 1000 characters'],
    ],
  },
  description: {
    with: { template: 'card' },
    taken: ['', 'A description'],
    refused: [['x'.repeat(5_001), 'description must be at most 5000 characters']],
  },
  theme: { with: { template: 'card' }, ...words('theme', 'light', 'dark', 'auto') },
};

export const contentCases: Record<string, OptionCase> = {
  format: words('format', 'markdown', 'text', 'html', 'metadata', 'links'),
  only_main_content: flag('only_main_content'),
  include_selectors: selectors('include_selectors'),
  exclude_selectors: selectors('exclude_selectors'),
  extract: {
    taken: [
      {},
      { title: { selector: 'h1' } },
      { items: { selector: 'li', all: true, fields: { price: { selector: 'b', type: 'number' } } } },
      { a: { selector: 'a', fields: { b: { selector: 'b', fields: { c: { selector: 'c', attribute: 'title' } } } } } },
    ],
    refused: [
      [{ title: {} }, 'extract.title.selector is required'],
      [{ title: { selector: 'h1', type: 'money' } }, 'extract.title.type must be one of text, number, boolean, url'],
      [{ a: { selector: 'a', type: 'url', fields: {} } }, 'extract.a cannot combine fields with attribute or type'],
      [
        Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`f${index}`, { selector: 'a' }])),
        'extract must have at most 50 fields',
      ],
    ],
  },
};

export const respondingCases: Record<string, OptionCase> = {
  async: flag('async'),
  response_type: words('response_type', 'binary', 'json'),
  webhook_url: {
    taken: ['https://hooks.example.com/captures?a=b'],
    refused: [
      ['http://hooks.example.com/', 'webhook_url must begin with https'],
      ['/hooks', 'webhook_url must be an absolute URL (https), such as https://example.com/'],
      ['https://ada:secret@hooks.example.com/', 'webhook_url must not contain a user name or password'],
      [`https://hooks.example.com/${'a'.repeat(8_192)}`, 'webhook_url must be at most 8192 characters'],
      [null, 'webhook_url must be text'],
    ],
  },
};
