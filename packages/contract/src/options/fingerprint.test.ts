import { expect, it } from '@jest/globals';
import { captureKinds } from './capture-options.ts';
import { captureFingerprint, requestFingerprint } from './fingerprint.ts';

const url = 'https://example.com/';
/** A substitute for a keyed hash that shows which secrets are hashed. */
const keyedHash = (secret: string) => `#${secret.length}`;
const of = (given: object, key = keyedHash) =>
  captureFingerprint('screenshot', captureKinds.screenshot.request.parse({ url, ...given }), key).toString('hex');

it('is equal for requests of the same image: an explicit default, another order, another spelling', () => {
  const headers = { 'x-a': '1', 'x-b': '2' };
  for (const [one, other] of [
    [{}, { width: 1_280, format: 'png', scroll: false, timezone: 'utc' }],
    [{ full_page: true }, { scroll: true, full_page: true }],
    [{ format: 'jpeg' }, { quality: 80, format: 'jpeg' }],
    [{ click: '#a' }, { click: ['#a'] }],
    [{ device: 'ipad' }, { device: 'iPad' }],
    [{ headers }, { headers: Object.fromEntries(Object.entries(headers).reverse()) }],
    [{}, { cache_ttl_s: 60, metadata: { order: '1' }, async: true, webhook_url: 'https://hooks.example.com/' }],
  ] as [object, object][]) {
    expect(of(one)).toBe(of(other));
  }
});

it('differs for every option that determines the image, including secret options', () => {
  const requests = [
    {},
    { width: 800 },
    { format: 'webp' },
    { dark_mode: true },
    { click: ['#a', '#b'] },
    { click: ['#b', '#a'] },
    { locale: 'de' },
    { headers: { 'x-a': '1' } },
    { headers: { 'x-a': '22' } },
    { cookies: [{ name: 'a', value: 'b' }] },
    { basic_auth: { username: 'ada', password: 'secret' } },
  ];
  expect(new Set(requests.map((given) => of(given))).size).toBe(requests.length);
  expect(captureFingerprint('pdf', {}, keyedHash)).not.toEqual(captureFingerprint('screenshot', {}, keyedHash));
});

it('depends on the key only for secret options, so that passwords cannot be tested without it', () => {
  const other = (secret: string) => `other ${secret.length}`;
  expect(of({ width: 800 }, other)).toBe(of({ width: 800 }));
  expect(of({ headers: { 'x-a': '1' } }, other)).not.toBe(of({ headers: { 'x-a': '1' } }));
  const body = (password: string) => ({ items: [{ url, basic_auth: { username: 'ada', password } }] });
  const request = (password: string, key = keyedHash) =>
    requestFingerprint('POST', '/api/v1/batches', body(password), key).toString('hex');
  expect(request('secret')).toBe(request('secret'));
  expect(request('secret')).not.toBe(request('secrets'));
  expect(request('secret')).not.toBe(request('secret', other));
});

it('stays the same from version to version, because stored fingerprints are compared with it', () => {
  const body = JSON.parse(
    '{"url":"https://example.com/","10":1,"9":[null,true,1e-7,"\\u2028\\"x\\\\"],"b":{"ü":{},"a-b":[],"__proto__":{"z":1,"a":2}},' +
      '"a":{"headers":{"x-b":"2","x-a":"1"},"cookies":[{"value":"v","name":"n"}]}}',
  );
  const key = (secret: string) => `#${secret}`;
  expect(requestFingerprint('POST', '/api/v1/screenshot', body, key).toString('hex')).toBe(
    '7f79ee8e335e30a5ed85a699f998967362bb463be48b45890c6f80cc7affd129',
  );
  const options = { ...body, metadata: { a: '1' }, async: true, scroll: undefined };
  expect(captureFingerprint('pdf', options, key).toString('hex')).toBe(
    '5ed6223a982ee899b9bc77aed15fadb5367515cec5995321f09c19299918088a',
  );
});
