import { describe, expect, it } from '@jest/globals';
import { ApiError, type ErrorDetail } from '../errors.ts';
import { captureKinds } from './capture-options.ts';
import { decodeCaptureQuery } from './capture-query.ts';
import { defaultQuality } from './image-options.ts';
import { parseRequest } from './parse-request.ts';

const url = 'https://example.com/';
const parse = (given: unknown) => parseRequest(captureKinds.screenshot.request, given, 'a screenshot');
const parsePdf = (given: object) => parseRequest(captureKinds.pdf.request, { url, ...given }, 'a PDF');
const parseOgImage = (given: object) => parseRequest(captureKinds.og_image.request, { url, ...given }, 'an OG image');
const parseQuery = (query: string) => parse(decodeCaptureQuery(captureKinds.screenshot, new URLSearchParams(query)));

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

const page = {
  width: 1_280,
  height: 720,
  device_scale_factor: 1,
  is_mobile: false,
  has_touch: false,
  is_landscape: false,
  wait_until: 'auto',
  delay_ms: 0,
  timeout_ms: 30_000,
  fail_on_status: [],
  fail_on: [],
  accept_truncated: false,
  isolation: 'auto',
  scroll: false,
  click: [],
  hide_selectors: [],
  remove_selectors: [],
  locale: 'en-US',
  timezone: 'UTC',
  dark_mode: false,
  reduced_motion: false,
  media: 'screen',
  block_ads: false,
  block_cookie_banners: false,
  block_resources: [],
  cache_ttl_s: 0,
  async: false,
  response_type: 'binary',
};
const defaults = { ...page, format: 'png', full_page: false, omit_background: false };

describe('defaults', () => {
  it('are the published defaults, for a body and for a query', () => {
    expect(parse({ url })).toEqual({ url, ...defaults });
    expect(parseQuery(`url=${url}`)).toEqual({ url, ...defaults });
    expect(defaultQuality).toBe(80);
  });

  it('of a PDF', () => {
    const { paper_size, ...others } = parsePdf({});
    expect(others).toEqual({
      url,
      ...page,
      media: 'print',
      margins: { top: 0, right: 0, bottom: 0, left: 0 },
      landscape: false,
      prefer_css_page_size: false,
      single_page: false,
      outline: false,
      print_background: true,
      tagged: true,
      scale: 1,
    });
    expect(paper_size.width).toBeCloseTo(793.7, 1);
    expect(paper_size.height).toBeCloseTo(1_122.5, 1);
  });

  it('of an OG image, whose size is fixed', () => {
    const fixed = { width: 1_200, height: 630 };
    expect(parseOgImage({})).toEqual({ url, ...page, ...fixed, format: 'png', template: 'page', theme: 'auto' });
  });

  it('that depend on other options: scroll, media, quality', () => {
    expect(parse({ url, full_page: true }).scroll).toBe(true);
    expect(parse({ url, full_page: true, scroll: false }).scroll).toBe(false);
    expect(parsePdf({ single_page: true }).scroll).toBe(true);
    expect(parsePdf({ media: 'screen' }).media).toBe('screen');
    expect(parse({ url, format: 'jpeg' }).quality).toBe(80);
    expect(parseOgImage({ format: 'webp' }).quality).toBe(80);
    expect(parse({ url })).not.toHaveProperty('quality');
  });
});

describe('what is filled in', () => {
  it('includes a device’s viewport, touch and user agent', () => {
    expect(parse({ url, device: 'iphone 15 pro LANDSCAPE' })).toMatchObject({
      device: 'iPhone 15 Pro landscape',
      width: 734,
      height: 343,
      device_scale_factor: 3,
      is_mobile: true,
      has_touch: true,
      is_landscape: true,
      user_agent: expect.stringContaining('iPhone'),
    });
    expect(parsePdf({ device: 'iPad' })).toMatchObject({ width: 768, height: 1_024, is_landscape: false });
  });

  it('includes the rotated paper, in CSS pixels', () => {
    const sizeOf = (given: object) => {
      const { width, height } = parsePdf(given).paper_size;
      return [Math.round(width), Math.round(height)];
    };
    expect(sizeOf({ paper: 'A3' })).toEqual([1_123, 1_587]);
    expect(sizeOf({ paper: 'A5', landscape: true })).toEqual([794, 559]);
    expect(sizeOf({ paper: 'Letter' })).toEqual([816, 1_056]);
    expect(sizeOf({ paper: 'Legal' })).toEqual([816, 1_344]);
    expect(sizeOf({ paper: 'Tabloid' })).toEqual([1_056, 1_632]);
    expect(sizeOf({ paper_width: '100mm', paper_height: '2.5cm' })).toEqual([378, 94]);
    expect(sizeOf({ paper_width: '300px' })).toEqual([300, 1_123]);
  });

  it('includes the margin on every side, in CSS pixels', () => {
    expect(parsePdf({ margin: '1in' }).margins).toEqual({ top: 96, right: 96, bottom: 96, left: 96 });
    expect(parsePdf({ margin: { top: '10px', left: '0.5in' } }).margins).toEqual({
      top: 10,
      right: 0,
      bottom: 0,
      left: 48,
    });
  });

  it('includes the URL of a submitted page', () => {
    expect(parse({ html: '<p>' })).toMatchObject({ url: 'about:blank', html: '<p>' });
  });

  it('includes the usual spelling of a locale and a time zone', () => {
    expect(parse({ url, locale: 'EN-us', timezone: 'europe/vienna' })).toMatchObject({
      locale: 'en-US',
      timezone: 'Europe/Vienna',
    });
  });
});

describe('types', () => {
  it.each([
    ['format', 'gif', 'png, jpeg, webp'],
    ['wait_until', 'networkidle0', 'auto, load, domcontentloaded, networkidle; did you mean networkidle?'],
    ['response_type', 'JSON', 'binary, json; did you mean json?'],
    ['format', 'pgn', 'png, jpeg, webp; did you mean png?'],
  ])('%s accepts only its values', (name, value, allowed) => {
    expect(faultsOf(() => parse({ url, [name]: value }))).toEqual([`${name} must be one of ${allowed}`]);
  });

  it('suggests the probable device', () => {
    const [fault] = faultsOf(() => parse({ url, device: 'iPhone 15 Por' }));
    expect(fault).toMatch(/such as iPhone 15 Pro or iPad landscape; did you mean iPhone 15 Pro\?$/);
  });
});

describe('the URL', () => {
  const withLength = (length: number) => url + 'a'.repeat(length - url.length);

  it.each([
    [undefined, 'is required (or html, in a POST)'],
    [null, 'must be text'],
    [7, 'must be text'],
    ['', 'must be an absolute URL (http or https), such as https://example.com/'],
    ['example.com', 'must be an absolute URL (http or https), such as https://example.com/'],
    ['//example.com/', 'must be an absolute URL (http or https), such as https://example.com/'],
    ['https://', 'must be an absolute URL (http or https), such as https://example.com/'],
    ['ftp://example.com/', 'must begin with http or https'],
    ['javascript:alert(1)', 'must begin with http or https'],
    ['file:///etc/passwd', 'must begin with http or https'],
    ['data:text/html,x', 'must begin with http or https'],
    ['https://ada@example.com/', 'must not contain a user name or password'],
    ['https://:secret@example.com/', 'must not contain a user name or password'],
    [withLength(8_193), 'must be at most 8192 characters'],
    ['https://example.com/\u0000', 'must not contain NUL or half a surrogate pair'],
    ['https://example.com/\ud83d', 'must not contain NUL or half a surrogate pair'],
  ])('%.50j: %s', (text, fault) => {
    expect(faultsOf(() => parse({ url: text }))).toEqual([`url ${fault}`]);
  });

  it.each(['http://example.com', 'HTTPS://EXAMPLE.COM/ä 😀', 'http://[::1]:8080/', withLength(8_192)])(
    '%.50j is valid',
    (text) => {
      expect(parse({ url: text }).url).toBe(text);
    },
  );
});

describe('options that exclude each other', () => {
  const clip = { x: 0, y: 0, width: 1, height: 1 };
  const cookies = [{ name: 'a', value: 'b' }];

  it.each<[object, string]>([
    [{ quality: 80 }, 'quality is not an option of png'],
    [{ quality: 80, format: 'png' }, 'quality is not an option of png'],
    [{ omit_background: true, format: 'jpeg' }, 'omit_background is not an option of jpeg'],
    [{ full_page: true, selector: '#a' }, 'selector cannot be combined with full_page'],
    [{ full_page: true, clip }, 'clip cannot be combined with full_page'],
    [{ selector: '#a', clip }, 'clip cannot be combined with selector'],
    [{ device: 'iPad', width: 1_280 }, 'width cannot be combined with device'],
    [{ device: 'iPad', height: 720 }, 'height cannot be combined with device'],
    [{ device: 'iPad', device_scale_factor: 1 }, 'device_scale_factor cannot be combined with device'],
    [{ device: 'iPad', user_agent: 'a' }, 'user_agent cannot be combined with device'],
    [{ html: '<p>' }, 'html cannot be combined with url'],
    [{ url: undefined, html: '', headers: {} }, 'headers cannot be combined with html, which has no origin'],
    [
      { url: undefined, html: '', basic_auth: { username: 'a', password: 'b' } },
      'basic_auth cannot be combined with html, which has no origin',
    ],
    [{ url: undefined, html: '', cookies }, 'cookies.0.domain is required with html, which has no domain of its own'],
  ])('screenshot %j: %s', (options, fault) => {
    expect(faultsOf(() => parse({ url, ...options }))).toEqual([fault]);
  });

  it.each<[object, string]>([
    [{ paper: 'A4', paper_width: '100mm' }, 'paper_width cannot be combined with paper'],
    [{ paper: 'A4', paper_height: '100mm' }, 'paper_height cannot be combined with paper'],
    [{ device: 'iPad', width: 1_280 }, 'width cannot be combined with device'],
    [{ margin: '100mm', landscape: true, paper: 'A5' }, 'margin leaves no room on the paper'],
    [{ margin: '50px', paper_width: '100px' }, 'margin leaves no room on the paper'],
  ])('PDF %j: %s', (options, fault) => {
    expect(faultsOf(() => parsePdf(options))).toEqual([fault]);
  });

  it.each<[object, string]>([
    [{ quality: 80 }, 'quality is not an option of png'],
    [{ title: 'a' }, 'title requires template=card'],
    [{ template: 'page', description: 'a' }, 'description requires template=card'],
    [{ theme: 'auto' }, 'theme requires template=card'],
  ])('OG image %j: %s', (options, fault) => {
    expect(faultsOf(() => parseOgImage(options))).toEqual([fault]);
  });

  it('do not exclude each other when one is switched off', () => {
    expect(parse({ url, full_page: false, clip }).clip).toEqual(clip);
    expect(parse({ url, omit_background: false, format: 'jpeg' }).format).toBe('jpeg');
    expect(parse({ url, omit_background: true, format: 'webp', quality: 50 }).quality).toBe(50);
    expect(parse({ html: '', cookies: [{ ...cookies[0], domain: 'example.com' }] }).cookies).toHaveLength(1);
  });
});

describe('a submitted page', () => {
  it('can be sent only in the body of a POST', () => {
    expect(detailsOf(() => parseQuery('html=x'))).toEqual([
      { field: 'html', message: 'can be sent only in the body of a POST' },
    ]);
  });
});

describe('nothing is ever ignored', () => {
  const isNone = (name: string) => expect.stringContaining(`${name} is not an option of a screenshot`);

  it.each(['fullpage', 'URL', 'constructor', 'toString', 'hasOwnProperty', '__proto__', 'valueOf', ''])(
    'an unknown option %j is named, in a body and in a query',
    (name) => {
      const body = JSON.parse(`{"url": "${url}", ${JSON.stringify(name)}: true}`);
      const fault = { field: name, message: expect.stringContaining('is not an option of a screenshot') };
      expect(detailsOf(() => parse(body))).toEqual([fault]);
      expect(detailsOf(() => parseQuery(`url=${url}&${name}=true`))).toEqual([fault]);
    },
  );

  it('the rest of a URL whose & was not encoded is named too', () => {
    expect(faultsOf(() => parseQuery('url=https://example.com/?a=1&b=2'))).toEqual([isNone('b')]);
  });

  it('every faulty field is named', () => {
    expect(faultsOf(() => parse({ url: 'x', width: 1, height: 'high', colour: 'red' }))).toEqual([
      'url must be an absolute URL (http or https), such as https://example.com/',
      'width must be at least 16',
      'height must be a number',
      isNone('colour'),
    ]);
  });

  it('an unknown name is shortened, and the number of repeated names is limited', () => {
    const [detail] = detailsOf(() => parse({ url, ['x'.repeat(1_000_000)]: 1 }));
    expect(detail?.field).toBe(`${'x'.repeat(100)}…`);
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`x${i}`, 1]));
    expect(detailsOf(() => parse({ url, ...many }))).toHaveLength(20);
  });

  it.each([undefined, null, [], 'text', 7, true])('a body that is %j', (body) => {
    expect(faultsOf(() => parse(body))).toEqual(['the body must be a JSON object']);
  });
});

describe('the types', () => {
  it.each([
    [{ width: '800' }, 'width must be a number'],
    [{ full_page: 'true' }, 'full_page must be true or false'],
    [{ full_page: 1 }, 'full_page must be true or false'],
  ])('of JSON are not converted, while an item of a batch may have text: %j', (option, fault) => {
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
      scroll: true,
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
    ['full_page=yes', 'full_page must be true or false'],
    ['full_page=True', 'full_page must be true or false'],
    ['full_page', 'full_page must be true or false'],
    ['format=PNG', 'format must be one of png, jpeg, webp; did you mean png?'],
  ])('are not read from an invalid text of a query: %s', (option, fault) => {
    expect(faultsOf(() => parseQuery(`url=${url}&${option}`))).toEqual([fault]);
  });

  it.each([
    ['width=800&width=900', ['width is given twice']],
    ['width=800&width=800&width=800', ['width is given twice']],
    ['__proto__=1&__proto__=2&url=x', ['__proto__ is given twice', 'url is given twice']],
  ])('are refused for an option given twice in a query: %s', (options, faults) => {
    expect(faultsOf(() => parseQuery(`url=${url}&${options}`))).toEqual(faults);
  });
});
