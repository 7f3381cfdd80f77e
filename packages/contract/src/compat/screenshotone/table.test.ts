import { describe, expect, it } from '@jest/globals';
import { type Example, faultsOf, testRows } from '../../translations/check-rows.test-support.ts';
import type { Options } from '../../translations/table.ts';
import { translate } from '../../translations/translate.ts';
import { service } from './table.ts';

const fromScreenshotOne = (given: Options) => translate(service, given);

const pdf = { format: 'pdf' };

const examples: Record<string, Example[]> = {
  url: [['https://example.com/?a=1', { url: 'https://example.com/?a=1' }]],
  html: [['<h1>Hi</h1>', { html: '<h1>Hi</h1>' }]],
  format: [
    ['jpg', { format: 'jpeg' }],
    ['webp', { format: 'webp' }],
    ['pdf', {}],
  ],
  image_quality: [['90', { quality: 90 }]],
  image_width: [[640, { resize_width: 640 }]],
  image_height: [[360, { resize_height: 360 }]],
  omit_background: [['true', { omit_background: true }, { format: 'png' }]],
  viewport_width: [['1440', { width: 1_440 }]],
  viewport_height: [['900', { height: 900 }]],
  device_scale_factor: [[2, { device_scale_factor: 2 }]],
  viewport_device: [['iphone_13_pro', { device: 'iphone 13 pro' }]],
  full_page: [['true', { full_page: true }]],
  full_page_scroll: [[false, { scroll: false, full_page: true }, { full_page: true }]],
  selector: [['#chart', { selector: '#chart' }]],
  clip_x: [[0, { clip: { x: 0, y: 10, width: 64, height: 48 } }, { clip_y: 10, clip_width: 64, clip_height: 48 }]],
  clip_y: [['10', { clip: { y: 10 } }, { clip_x: 0, clip_width: 64, clip_height: 48 }]],
  clip_width: [['64', { clip: { width: 64 } }, { clip_x: 0, clip_y: 0, clip_height: 48 }]],
  clip_height: [['48', { clip: { height: 48 } }, { clip_x: 0, clip_y: 0, clip_width: 64 }]],
  delay: [['2', { delay_ms: 2_000 }]],
  timeout: [[60, { timeout_ms: 60_000 }]],
  wait_until: [
    [['load', 'networkidle0'], { wait_until: 'networkidle' }],
    ['networkidle2', { wait_until: 'auto' }],
  ],
  wait_for_selector: [['#done', { wait_for_selector: '#done' }]],
  click: [['#menu', { click: '#menu' }]],
  hide_selectors: [
    [['.chat', '#bar'], { hide_selectors: ['.chat', '#bar'] }],
    ['.chat', { hide_selectors: ['.chat'] }],
  ],
  scripts: [['document.title = 1', { js: 'document.title = 1' }]],
  styles: [['body{}', { css: 'body{}' }]],
  dark_mode: [['true', { dark_mode: true }]],
  reduced_motion: [[true, { reduced_motion: true }]],
  media_type: [['print', { media: 'print' }]],
  time_zone: [['Europe/Berlin', { timezone: 'Europe/Berlin' }]],
  geolocation_latitude: [[48.2, { geolocation: { latitude: 48.2, longitude: 16.3 } }, { geolocation_longitude: 16.3 }]],
  geolocation_longitude: [['16.3', { geolocation: { longitude: 16.3 } }, { geolocation_latitude: '48.2' }]],
  geolocation_accuracy: [
    [50, { geolocation: { accuracy: 50 } }, { geolocation_latitude: 48.2, geolocation_longitude: 16.3 }],
  ],
  block_ads: [['true', { block_ads: true }]],
  block_trackers: [[true, { block_ads: true }, { block_ads: false }]],
  block_cookie_banners: [[true, { block_cookie_banners: true }]],
  block_banners_by_heuristics: [[true, { block_cookie_banners: true }]],
  block_resources: [[['image', 'font'], { block_resources: ['image', 'font'] }]],
  user_agent: [['Bot/1.0', { user_agent: 'Bot/1.0' }]],
  authorization: [['Bearer abc', { headers: { Authorization: 'Bearer abc' } }]],
  headers: [
    [['X-One:1', 'X-Two: a:b'], { headers: { 'X-One': '1', 'X-Two': 'a:b' } }],
    ['X-One:1', { headers: { 'X-One': '1', Authorization: 'Basic x' } }, { authorization: 'Basic x' }],
  ],
  cookies: [
    [
      'session=abc; Domain=example.com; Secure; HttpOnly; SameSite=Lax',
      {
        cookies: [
          { name: 'session', value: 'abc', domain: 'example.com', secure: true, http_only: true, same_site: 'Lax' },
        ],
      },
    ],
  ],
  cache: [[true, { cache_ttl_s: 14_400 }]],
  cache_ttl: [['86400', { cache_ttl_s: 86_400 }, { cache: 'true' }]],
  webhook_url: [['https://hooks.example.com/', { webhook_url: 'https://hooks.example.com/' }]],
  external_identifier: [['order4711', { metadata: { external_identifier: 'order4711' } }]],
  pdf_margin: [['1cm', { margin: { top: '1cm', right: '1cm', bottom: '1cm', left: '1cm' } }, pdf]],
  pdf_margin_top: [['2cm', { margin: { top: '2cm' } }, { ...pdf, pdf_margin_left: '1cm' }]],
  pdf_margin_right: [['10mm', { margin: { right: '10mm' } }, pdf]],
  pdf_margin_bottom: [['10mm', { margin: { bottom: '10mm' } }, pdf]],
  pdf_margin_left: [['10mm', { margin: { left: '10mm', top: '1cm' } }, { ...pdf, pdf_margin_top: '1cm' }]],
  pdf_print_background: [['false', { print_background: false }, pdf]],
  pdf_fit_one_page: [[true, { single_page: true }, pdf]],
  pdf_landscape: [[true, { landscape: true }, pdf]],
  pdf_paper_format: [['letter', { paper: 'Letter' }, pdf]],
  ignore_host_errors: [[false, { fail_on_status: ['4xx', '5xx'] }]],
};

describe('the rows of ScreenshotOne', () => {
  testRows(service, examples, fromScreenshotOne);
});

describe('a request to ScreenshotOne', () => {
  const url = 'https://example.com/';

  it('applies ScreenshotOne’s defaults where the platform’s differ', () => {
    const defaults = { width: 1_280, height: 1_024, format: 'jpeg', fail_on_status: ['4xx', '5xx'] };
    expect(fromScreenshotOne({ url })).toEqual({
      type: 'screenshot',
      options: { url, ...defaults },
      unsupported: [],
      origins: expect.any(Object),
    });
    expect(fromScreenshotOne({ url, ignore_host_errors: true }).options).not.toHaveProperty('fail_on_status');
    expect(fromScreenshotOne({ url, format: 'pdf' })).toMatchObject({ type: 'pdf' });
    expect(fromScreenshotOne({ url, format: 'pdf' }).options).not.toHaveProperty('format');
  });

  it('reports unsupported options and is valid without them', () => {
    const translated = fromScreenshotOne({
      url,
      access_key: 'a-key-of-theirs',
      format: 'gif',
      delay: 120,
      selector: '#a',
      full_page: true,
      viewport_device: 'iphone_13_pro',
      viewport_width: 400,
      pdf_landscape: true,
      webhook_url: 'http://hooks.example.com/',
      block_resources: ['image', 'texttrack'],
      store: false,
    });
    expect(translated.unsupported).toEqual([
      { name: 'access_key', why: expect.stringContaining('header') },
      { name: 'format', why: 'gif has no counterpart' },
      { name: 'delay', why: '120000 is out of range here; the nearest value is 30000' },
      { name: 'pdf_landscape', why: 'does not apply to a screenshot', harmless: true },
      { name: 'webhook_url', why: 'webhooks go to https addresses only' },
      { name: 'block_resources', why: 'texttrack cannot be blocked', harmless: true },
      { name: 'viewport_width', why: 'the device sets it' },
      { name: 'full_page', why: 'selector takes precedence', harmless: true },
    ]);
    expect(JSON.stringify(translated)).not.toContain('a-key-of-theirs');
    expect(faultsOf(translated)).toEqual([]);
  });

  it('drops incomplete options', () => {
    const translated = fromScreenshotOne({ url, clip_x: 1, clip_width: 5, geolocation_latitude: 1 });
    expect(translated.unsupported).toEqual([
      { name: 'clip_width', why: 'y, height are missing' },
      { name: 'geolocation_latitude', why: 'longitude is missing' },
    ]);
    expect(faultsOf(translated)).toEqual([]);
  });

  it('with html drops options that need an origin', () => {
    const html = '<h1>Hi</h1>';
    const cookies = ['a=1', 'b=2; Domain=example.com'];
    const translated = fromScreenshotOne({ html, url, authorization: 'Bearer abc', cookies });
    expect(translated.unsupported.map(({ name }) => name)).toEqual(['url', 'authorization', 'cookies']);
    expect(translated.options).toMatchObject({ html, cookies: [{ name: 'b', value: '2', domain: 'example.com' }] });
    expect(faultsOf(translated)).toEqual([]);
  });
});
