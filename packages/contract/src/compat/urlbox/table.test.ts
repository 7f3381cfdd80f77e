import { describe, expect, it } from '@jest/globals';
import { type Example, faultsOf, testRows } from '../../translations/check-rows.test-support.ts';
import type { Options } from '../../translations/table.ts';
import { translate } from '../../translations/translate.ts';
import { service } from './table.ts';

const fromUrlbox = (given: Options) => translate(service, given);

const pdf = { format: 'pdf' };
const session = { name: 'session', value: 'abc', domain: '.example.com' };

const examples: Record<string, Example[]> = {
  url: [
    ['https://example.com/', { url: 'https://example.com/' }],
    ['example.com', { url: 'http://example.com' }],
  ],
  html: [['<h1>Hi</h1>', { html: '<h1>Hi</h1>' }]],
  format: [
    ['jpg', { format: 'jpeg' }],
    ['png', { format: 'png' }],
    ['pdf', {}],
  ],
  quality: [[70, { quality: 70 }, { format: 'webp' }]],
  width: [[1_440, { width: 1_440 }]],
  height: [['900', { height: 900 }]],
  retina: [['true', { device_scale_factor: 2 }]],
  dpr: [[1.5, { device_scale_factor: 1.5 }]],
  full_page: [
    [true, { full_page: true }],
    [true, { single_page: true }, pdf],
  ],
  skip_scroll: [[true, { scroll: false }, { full_page: true }]],
  selector: [['#chart', { selector: '#chart' }]],
  clip: [['0,10,640,480', { clip: { x: 0, y: 10, width: 640, height: 480 } }]],
  thumb_width: [[640, { resize_width: 640 }]],
  thumb_height: [[360, { resize_height: 360 }]],
  transparent: [[true, { omit_background: true }]],
  delay: [[1_500, { delay_ms: 1_500 }]],
  timeout: [['60000', { timeout_ms: 60_000 }]],
  wait_until: [
    ['domloaded', { wait_until: 'domcontentloaded' }],
    ['loaded', { wait_until: 'load' }],
    ['requestsfinished', { wait_until: 'networkidle' }],
    ['mostrequestsfinished', { wait_until: 'auto' }],
  ],
  wait_for: [['#done', { wait_for_selector: '#done' }]],
  click: [
    [['#a', '#b'], { click: ['#a', '#b'] }],
    ['#a', { click: ['#a'] }],
  ],
  hide_selector: [['.chat, #bar', { remove_selectors: ['.chat', '#bar'] }]],
  css: [['body{}', { css: 'body{}' }]],
  js: [['1', { js: '1' }]],
  dark_mode: [[true, { dark_mode: true }]],
  reduced_motion: [[true, { reduced_motion: true }]],
  media: [['screen', { media: 'screen' }, pdf]],
  block_ads: [[true, { block_ads: true }]],
  hide_cookie_banners: [[true, { block_cookie_banners: true }]],
  block_images: [[true, { block_resources: ['font', 'image'] }, { block_fonts: true }]],
  block_medias: [[true, { block_resources: ['media'] }]],
  block_fonts: [[true, { block_resources: ['font'] }]],
  block_styles: [[true, { block_resources: ['stylesheet'] }]],
  block_scripts: [[true, { block_resources: ['script'] }]],
  block_xhr: [[true, { block_resources: ['xhr'] }]],
  block_fetch: [[true, { block_resources: ['fetch'] }]],
  block_sockets: [[true, { block_resources: ['websocket'] }]],
  block_other: [[true, { block_resources: ['other'] }]],
  user_agent: [
    ['Bot/1.0', { user_agent: 'Bot/1.0' }],
    ['desktop', {}],
  ],
  accept_lang: [['de-AT,de;q=0.9', { locale: 'de-AT' }]],
  authorization: [['Bearer abc', { headers: { Authorization: 'Bearer abc' } }]],
  header: [
    [['X-One=1', 'X-Two=2'], { headers: { 'X-One': '1', 'X-Two': '2' } }],
    ['X-One=1', { headers: { 'X-One': '1' } }],
  ],
  headers: [[['X-One=1'], { headers: { 'X-One': '1' } }]],
  cookie: [['session=abc;Domain=.example.com', { cookies: [session] }]],
  cookies: [[['session=abc;Domain=.example.com'], { cookies: [session] }]],
  tz: [['Europe/London', { timezone: 'Europe/London' }]],
  latitude: [[48.2, { geolocation: { latitude: 48.2 } }, { longitude: 16.3 }]],
  longitude: [[16.3, { geolocation: { longitude: 16.3 } }, { latitude: 48.2 }]],
  accuracy: [[50, { geolocation: { accuracy: 50 } }, { latitude: 48.2, longitude: 16.3 }]],
  fail_on_4xx: [[true, { fail_on_status: ['5xx', '4xx'] }, { fail_on_5xx: true }]],
  fail_on_5xx: [[true, { fail_on_status: ['5xx'] }]],
  fail_if_captcha: [[true, { fail_on: ['challenge'] }]],
  fail_if_cf_turnstile: [[true, { fail_on: ['challenge'] }]],
  ttl: [[3_600, { cache_ttl_s: 3_600 }]],
  force: [[true, {}]],
  webhook_url: [['https://hooks.example.com/', { webhook_url: 'https://hooks.example.com/' }]],
  pdf_page_size: [['A4', { paper: 'A4' }, pdf]],
  pdf_page_width: [[800, { paper_width: '800px' }, pdf]],
  pdf_page_height: [['1000', { paper_height: '1000px' }, pdf]],
  pdf_page_range: [['1-3', { page_ranges: '1-3' }, pdf]],
  pdf_margin: [
    ['none', { margin: '0' }, pdf],
    ['default', { margin: '1cm' }, pdf],
  ],
  pdf_margin_top: [[20, { margin: { top: '20px', left: '10px' } }, { ...pdf, pdf_margin_left: 10 }]],
  pdf_margin_right: [[20, { margin: { right: '20px' } }, pdf]],
  pdf_margin_bottom: [['20', { margin: { bottom: '20px' } }, pdf]],
  pdf_margin_left: [[20, { margin: { left: '20px' } }, pdf]],
  pdf_orientation: [
    ['landscape', { landscape: true }, pdf],
    ['portrait', { landscape: false }, pdf],
  ],
  pdf_scale: [[0.8, { scale: 0.8 }, pdf]],
  pdf_background: [[false, { print_background: false }, pdf]],
  pdf_header: [['<b>H</b>', { header_html: '<b>H</b>' }, { ...pdf, pdf_show_header: true }]],
  pdf_footer: [['<b>F</b>', { footer_html: '<b>F</b>' }, { ...pdf, pdf_show_footer: 'true' }]],
  pdf_show_header: [[true, { header_html: '<b>H</b>' }, { ...pdf, pdf_header: '<b>H</b>' }]],
  pdf_show_footer: [[true, { footer_html: '<b>F</b>' }, { ...pdf, pdf_footer: '<b>F</b>' }]],
};

describe('the rows of Urlbox', () => {
  testRows(service, examples, fromUrlbox);
});

describe('a request to Urlbox', () => {
  const url = 'https://example.com/';

  it('applies Urlbox’s defaults where the platform’s differ', () => {
    const options = { url, width: 1_280, height: 1_024 };
    const translated = { type: 'screenshot', options, unsupported: [], origins: expect.any(Object) };
    expect(fromUrlbox({ url })).toEqual(translated);
    expect(fromUrlbox({ url, force: true, ttl: 3_600 })).toEqual(translated);
  });

  it('reports unsupported options and is valid without them', () => {
    const translated = fromUrlbox({
      ...{ url, format: 'svg', quality: 80, user_agent: 'mobile', click_accept: true, video_fps: 30, proxy: 'a:b@c:1' },
      ...{ cookie: 'a=1;Expires=never', pdf_scale: 2, s3_secret: 'a-secret-of-theirs', webhook_url: 'http://a.b/' },
    });
    expect(translated.unsupported.map(({ name }) => name)).toEqual([
      ...['format', 'user_agent', 'click_accept', 'video_fps', 'proxy', 'cookie', 'pdf_scale', 's3_secret'],
      ...['webhook_url', 'quality'],
    ]);
    expect(faultsOf(translated)).toEqual([]);
    expect(JSON.stringify(translated)).not.toContain('a-secret-of-theirs');
    const printed = fromUrlbox({ url, ...pdf, pdf_page_size: 'A5', pdf_page_width: 500, pdf_show_header: true });
    expect(printed.unsupported.map(({ name }) => name)).toEqual(['pdf_show_header', 'pdf_page_width']);
    expect(faultsOf(printed)).toEqual([]);
  });
});
