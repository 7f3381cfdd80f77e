import { describe, expect, it } from '@jest/globals';
import { type Example, faultsOf, testRows } from '../../translations/check-rows.test-support.ts';
import type { Options } from '../../translations/table.ts';
import { translate } from '../../translations/translate.ts';
import { service } from './table.ts';

const fromApiFlash = (given: Options) => translate(service, given);

const examples: Record<string, Example[]> = {
  url: [['https://example.com/', { url: 'https://example.com/' }]],
  format: [['png', { format: 'png' }]],
  quality: [['70', { quality: 70 }]],
  width: [['1280', { width: 1_280 }]],
  height: [['800', { height: 800 }]],
  scale_factor: [['2', { device_scale_factor: 2 }]],
  full_page: [['true', { full_page: true }]],
  scroll_page: [['true', { scroll: true }]],
  element: [['#header', { selector: '#header' }]],
  crop: [['10,20,50,100', { clip: { x: 10, y: 20, width: 50, height: 100 } }]],
  thumbnail_width: [
    ['640', { resize_width: 640 }],
    ['0', {}],
  ],
  transparent: [['true', { omit_background: true }, { format: 'png' }]],
  delay: [['2', { delay_ms: 2_000 }]],
  wait_until: [
    ['dom_loaded', { wait_until: 'domcontentloaded' }],
    ['page_loaded', { wait_until: 'load' }],
    ['network_idle', { wait_until: 'networkidle' }],
  ],
  wait_until_timeout: [['20', { timeout_ms: 20_000 }]],
  wait_for: [['#content', { wait_for_selector: '#content' }]],
  css: [['body{}', { css: 'body{}' }]],
  js: [['1', { js: '1' }]],
  no_ads: [['true', { block_ads: true }]],
  no_tracking: [['true', { block_ads: true }]],
  no_cookie_banners: [['true', { block_cookie_banners: true }]],
  user_agent: [['Bot/1.0', { user_agent: 'Bot/1.0' }]],
  accept_language: [['de-AT,de;q=0.9', { locale: 'de-AT' }]],
  headers: [['X-One=1;X-Two=2', { headers: { 'X-One': '1', 'X-Two': '2' } }]],
  cookies: [
    [
      'a=1;b=2',
      {
        cookies: [
          { name: 'a', value: '1' },
          { name: 'b', value: '2' },
        ],
      },
    ],
  ],
  latitude: [['48.2', { geolocation: { latitude: 48.2 } }, { longitude: '16.3' }]],
  longitude: [['16.3', { geolocation: { longitude: 16.3 } }, { latitude: '48.2' }]],
  accuracy: [['50', { geolocation: { accuracy: 50 } }, { latitude: '48.2', longitude: '16.3' }]],
  time_zone: [['Europe/Paris', { timezone: 'Europe/Paris' }]],
  fail_on_status: [
    ['400,404,500-511', { fail_on_status: [400, 404, 500, 501, 502, 503, 504, 505, 506, 507, 508, 509, 510, 511] }],
    ['400-499', { fail_on_status: ['4xx'] }],
  ],
  ttl: [
    ['3600', { cache_ttl_s: 3_600 }],
    ['3600', {}, { fresh: 'true' }],
  ],
  fresh: [['true', {}]],
};

describe('the rows of ApiFlash', () => {
  testRows(service, examples, fromApiFlash);
});

describe('a request to ApiFlash', () => {
  const url = 'https://example.com/';

  it('applies ApiFlash’s defaults where the platform’s differ', () => {
    expect(fromApiFlash({ url })).toEqual({
      type: 'screenshot',
      options: { url, format: 'jpeg', width: 1_920, height: 1_080 },
      unsupported: [],
      origins: expect.any(Object),
    });
  });

  it('does not cache when a fresh capture is requested', () => {
    expect(fromApiFlash({ url, ttl: 3_600, fresh: true }).options).not.toHaveProperty('cache_ttl_s');
  });

  it('reports unsupported options and is valid without them', () => {
    const given = { url, transparent: true, crop: '1,2,3', headers: 'nothing', width: 16_000, extract_text: true };
    const translated = fromApiFlash(given);
    expect(translated.unsupported.map(({ name }) => name)).toEqual([
      'crop',
      'headers',
      'width',
      'extract_text',
      'transparent',
    ]);
    expect(faultsOf(translated)).toEqual([]);
  });
});
