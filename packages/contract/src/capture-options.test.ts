import { describe, expect, it } from '@jest/globals';
import { defaultQuality, screenshotRequest } from './capture-options.ts';
import { ApiError, type ErrorDetail } from './errors.ts';
import { decodeQuery, parseRequest } from './parse-request.ts';

const url = 'https://example.com/';
const parse = (given: unknown) => parseRequest(screenshotRequest, given, 'a screenshot');
const parseQuery = (query: string) => parse(decodeQuery(screenshotRequest, new URLSearchParams(query)));

function detailsOf(work: () => unknown): readonly ErrorDetail[] {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiError && error.code === 'INVALID_REQUEST' && error.details) return error.details;
    throw error;
  }
  throw new Error('nothing was found wrong');
}

const faultsOf = (work: () => unknown) =>
  detailsOf(work).map(({ field, message }) => (field ? `${field} ${message}` : message));

const defaults = {
  width: 1_280,
  height: 720,
  device_scale_factor: 1,
  wait_until: 'auto',
  delay_ms: 0,
  timeout_ms: 30_000,
  format: 'png',
  full_page: false,
  cache_ttl_s: 0,
  async: false,
  response_type: 'binary',
};

describe('defaults', () => {
  it('are the published ones, for a body and for a query', () => {
    expect(parse({ url })).toEqual({ url, ...defaults });
    expect(parseQuery(`url=${url}`)).toEqual({ url, ...defaults });
    expect(defaultQuality).toBe(80);
  });
});

describe('ranges', () => {
  it.each([
    ['width', 16, 7_680],
    ['height', 16, 4_320],
    ['device_scale_factor', 0.5, 4],
    ['delay_ms', 0, 30_000],
    ['timeout_ms', 1_000, 120_000],
    ['quality', 1, 100],
    ['cache_ttl_s', 0, 2_592_000],
  ])('%s is %d to %d', (name, least, most) => {
    const given = (value: unknown) => ({ url, format: 'jpeg', [name]: value });
    for (const value of [least, most]) expect(parse(given(value))).toMatchObject({ [name]: value });
    expect(faultsOf(() => parse(given(least - 1)))).toEqual([`${name} must be at least ${least}`]);
    expect(faultsOf(() => parse(given(most + 1)))).toEqual([`${name} must be at most ${most}`]);
  });

  it.each(['width', 'height', 'delay_ms', 'timeout_ms', 'quality', 'cache_ttl_s'])('%s is a whole number', (name) => {
    expect(faultsOf(() => parse({ url, format: 'webp', [name]: 1_000.5 }))).toContain(`${name} must be a whole number`);
  });

  it.each([
    ['format', 'gif', 'png, jpeg, webp'],
    ['wait_until', 'networkidle0', 'auto, load, domcontentloaded, networkidle'],
    ['response_type', 'JSON', 'binary, json'],
  ])('%s is none but its values', (name, value, allowed) => {
    expect(faultsOf(() => parse({ url, [name]: value }))).toEqual([`${name} must be one of ${allowed}`]);
    for (const one of allowed.split(', ')) expect(parse({ url, [name]: one })).toMatchObject({ [name]: one });
  });
});

describe('the URL', () => {
  const withLength = (length: number) => url + 'a'.repeat(length - url.length);

  it.each([
    [undefined, 'is required'],
    [null, 'must be text'],
    [7, 'must be text'],
    ['', 'must be an absolute URL (http or https)'],
    ['example.com', 'must be an absolute URL (http or https)'],
    ['//example.com/', 'must be an absolute URL (http or https)'],
    ['https://', 'must be an absolute URL (http or https)'],
    ['ftp://example.com/', 'must begin with http or https'],
    ['javascript:alert(1)', 'must begin with http or https'],
    ['file:///etc/passwd', 'must begin with http or https'],
    ['data:text/html,x', 'must begin with http or https'],
    ['https://ada@example.com/', 'must not have a user name or password in it'],
    ['https://:secret@example.com/', 'must not have a user name or password in it'],
    [withLength(8_193), 'must be at most 8192 characters'],
    ['https://example.com/\u0000', 'must not have NUL or half a surrogate pair in it'],
    ['https://example.com/\ud83d', 'must not have NUL or half a surrogate pair in it'],
  ])('%.50j: %s', (text, fault) => {
    expect(faultsOf(() => parse({ url: text }))).toEqual([`url ${fault}`]);
  });

  it.each(['http://example.com', 'HTTPS://EXAMPLE.COM/ä 😀', 'http://[::1]:8080/', withLength(8_192)])(
    '%.50j is one',
    (text) => {
      expect(parse({ url: text }).url).toBe(text);
    },
  );
});

describe('the webhook URL', () => {
  it.each([
    ['http://hooks.example.com/', 'must begin with https'],
    ['/hooks', 'must be an absolute URL (https)'],
    ['https://ada:secret@hooks.example.com/', 'must not have a user name or password in it'],
    [`https://hooks.example.com/${'a'.repeat(8_192)}`, 'must be at most 8192 characters'],
  ])('%.50j: %s', (text, fault) => {
    expect(faultsOf(() => parse({ url, webhook_url: text }))).toEqual([`webhook_url ${fault}`]);
  });

  it('may be left out, but not be null', () => {
    expect(parse({ url })).not.toHaveProperty('webhook_url');
    expect(faultsOf(() => parse({ url, webhook_url: null }))).toEqual(['webhook_url must be text']);
  });
});

describe('what excludes each other', () => {
  it('is quality and png, said or not', () => {
    const fault = ['quality is not an option of png'];
    expect(faultsOf(() => parse({ url, quality: 80 }))).toEqual(fault);
    expect(faultsOf(() => parse({ url, quality: 80, format: 'png' }))).toEqual(fault);
    expect(parse({ url, quality: 80, format: 'webp' })).toMatchObject({ quality: 80, format: 'webp' });
  });
});

describe('metadata', () => {
  const values = (count: number, length: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'x'.repeat(length)]));

  it('is up to 20 texts of 4 kB in all, in a query as JSON', () => {
    for (const metadata of [{}, { order: '4711', 'any name': '☂' }, values(20, 150)]) {
      expect(parse({ url, metadata }).metadata).toEqual(metadata);
      expect(parseQuery(`url=${url}&metadata=${encodeURIComponent(JSON.stringify(metadata))}`).metadata).toEqual(
        metadata,
      );
    }
    expect(parse({ url })).not.toHaveProperty('metadata');
  });

  it.each([
    [values(21, 1), 'metadata must have at most 20 values'],
    [values(20, 200), 'metadata must be at most 4 kB as JSON'],
    [{ order: 'ä'.repeat(2_048) }, 'metadata must be at most 4 kB as JSON'],
    [{ order: 4711 }, 'metadata.order must be text'],
    [{ order: { deep: 'x' } }, 'metadata.order must be text'],
    ['order', 'metadata must be an object'],
    [{ order: 'x\u0000' }, 'metadata.order must not have NUL or half a surrogate pair in it'],
  ])('%.40j: %s', (metadata, fault) => {
    expect(faultsOf(() => parse({ url, metadata }))).toEqual([fault]);
  });
});

describe('nothing is ever ignored', () => {
  const isNone = (name: string) =>
    `${name} is not an option of a screenshot (an & or # inside a URL must be percent-encoded)`;

  it.each(['fullpage', 'paper', 'URL', 'constructor', 'toString', 'hasOwnProperty', '__proto__', 'valueOf', ''])(
    'an unknown option %j is named, in a body and in a query',
    (name) => {
      const body = JSON.parse(`{"url": "${url}", ${JSON.stringify(name)}: true}`);
      const fault = { field: name, message: isNone('').slice(1) };
      expect(detailsOf(() => parse(body))).toEqual([fault]);
      expect(detailsOf(() => parseQuery(`url=${url}&${name}=true`))).toEqual([fault]);
    },
  );

  it('the rest of a URL whose & was not encoded is named too', () => {
    expect(faultsOf(() => parseQuery('url=https://example.com/?a=1&b=2'))).toEqual([isNone('b')]);
  });

  it('every field at fault is named', () => {
    expect(faultsOf(() => parse({ url: 'x', width: 1, height: 'high', colour: 'red' }))).toEqual([
      'url must be an absolute URL (http or https)',
      'width must be at least 16',
      'height must be a number',
      isNone('colour'),
    ]);
  });

  it('a name made up by the client is not repeated at any length, nor any number of them', () => {
    const [detail] = detailsOf(() => parse({ url, ['x'.repeat(1_000_000)]: 1 }));
    expect(detail?.field).toBe(`${'x'.repeat(100)}…`);
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`x${i}`, 1]));
    expect(detailsOf(() => parse({ url, ...many }))).toHaveLength(50);
  });

  it.each([undefined, null, [], 'text', 7, true])('a body that is %j', (body) => {
    expect(faultsOf(() => parse(body))).toEqual(['the body must be a JSON object']);
  });
});

describe('types', () => {
  it.each([
    [{ width: '800' }, 'width must be a number'],
    [{ width: null }, 'width must be a number'],
    [{ width: true }, 'width must be a number'],
    [{ full_page: 'true' }, 'full_page must be true or false'],
    [{ full_page: 1 }, 'full_page must be true or false'],
    [{ format: ['png'] }, 'format must be one of png, jpeg, webp'],
  ])('of JSON are its own: %j', (option, fault) => {
    expect(faultsOf(() => parse({ url, ...option }))).toEqual([fault]);
  });

  it('are read from the text of a query', () => {
    const query = 'width=800&height=16&device_scale_factor=2.5&full_page=true&delay_ms=0&format=jpeg&quality=7';
    expect(parseQuery(`url=${encodeURIComponent('https://example.com/?a=1&b=2#c')}&${query}`)).toEqual({
      ...defaults,
      url: 'https://example.com/?a=1&b=2#c',
      width: 800,
      height: 16,
      device_scale_factor: 2.5,
      full_page: true,
      format: 'jpeg',
      quality: 7,
    });
    expect(parseQuery(`url=${url}&full_page=false`).full_page).toBe(false);
  });

  it.each([
    ['width=1e3', 'width must be a number'],
    ['width=0x320', 'width must be a number'],
    ['width=', 'width must be a number'],
    ['width=%20800', 'width must be a number'],
    ['width=Infinity', 'width must be a number'],
    ['width=800.5', 'width must be a whole number'],
    ['width=-800', 'width must be at least 16'],
    ['device_scale_factor=.5', 'device_scale_factor must be a number'],
    ['full_page=1', 'full_page must be true or false'],
    ['full_page=True', 'full_page must be true or false'],
    ['full_page', 'full_page must be true or false'],
    ['format=PNG', 'format must be one of png, jpeg, webp'],
  ])('that a query does not have: %s', (option, fault) => {
    expect(faultsOf(() => parseQuery(`url=${url}&${option}`))).toEqual([fault]);
  });

  it.each([
    ['width=800&width=900', ['width is given twice']],
    ['width=800&width=800&width=800', ['width is given twice']],
    ['__proto__=1&__proto__=2&url=x', ['__proto__ is given twice', 'url is given twice']],
  ])('given twice in a query: %s', (options, faults) => {
    expect(faultsOf(() => parseQuery(`url=${url}&${options}`))).toEqual(faults);
  });
});
