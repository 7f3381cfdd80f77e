import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { absoluteUrl } from '../absolute-url.ts';
import { ApiError, maxDetails } from '../errors.ts';
import { captureKinds } from './capture-options.ts';
import { decodeQuery, parseRequest, requestFaults } from './parse-request.ts';

// These are the forms that future options will have: lists, objects, records, nested fields.
const schema = z.strictObject({
  codes: z.array(z.union([z.int(), z.string()])).optional(),
  clip: z.strictObject({ x: z.int(), y: z.int() }).nullable().optional(),
  names: z.array(z.string()).max(2).default([]),
  metadata: z.record(z.string(), z.string()).optional(),
});
const decode = (query: string) => decodeQuery(schema, new URLSearchParams(query));

describe('a query', () => {
  it.each([
    ['names=a, b', { names: ['a', 'b'] }],
    ['names=a', { names: ['a'] }],
    ['names=["a, b","c"]', { names: ['a, b', 'c'] }],
    ['names= ["a"]', { names: ['a'] }],
    ['clip={"x":1,"y":2}', { clip: { x: 1, y: 2 } }],
    ['clip={"x":1', { clip: '{"x":1' }],
    ['codes=[404,"5xx"]', { codes: [404, '5xx'] }],
    ['other={"x":1}', { other: '{"x":1}' }],
  ])('%s', (query, decoded) => {
    expect(decode(query.replaceAll('+', '%2B'))).toEqual(Object.assign(Object.create(null), decoded));
  });

  it('does not change the prototype of its result', () => {
    const decoded = decode('__proto__={"polluted":true}');
    expect(Object.getPrototypeOf(decoded)).toBeNull();
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('a fault', () => {
  const faultsOf = (given: unknown) => {
    try {
      parseRequest(schema, given, 'a test');
    } catch (error) {
      return (error as ApiError).details?.map(({ field, message }) => `${field}: ${message}`);
    }
    return [];
  };

  it.each([
    [{ names: ['a', 'b', 'c'] }, 'names: must have at most 2 entries'],
    [{ names: ['a', 5] }, 'names.1: must be text'],
    [{ names: 'a' }, 'names: must be an array'],
    [{ clip: { x: 1 } }, 'clip.y: is required'],
    [{ clip: { x: 1, y: 2, z: 3 } }, 'clip.z: is not known here'],
    [{ clip: [] }, 'clip: must be an object'],
    [{ clip: '{x' }, 'clip: must be an object, and this is not valid JSON'],
    [{ names: ['fine', 'no\u0000ne'] }, 'names.1: must not contain NUL or half a surrogate pair'],
    [{ metadata: { key: 'a\udc00' } }, 'metadata.key: must not contain NUL or half a surrogate pair'],
    [{ metadata: { 'k\u0000': 'a' } }, 'metadata.k\u0000: must not contain NUL or half a surrogate pair'],
  ])('%j → %s', (given, fault) => {
    expect(faultsOf(given)).toEqual([expect.stringContaining(fault)]);
  });

  it.each([
    [{ codez: [] }, 'codez: is not an option of a test; did you mean codes?'],
    [{ 'Meta-Data': {} }, 'Meta-Data: is not an option of a test; did you mean metadata?'],
    [{ b: '1' }, 'b: is not an option of a test'],
    [{ name_list: '1' }, 'name_list: is not an option of a test'],
    [{ clip_area: {} }, 'clip_area: is not an option of a test; did you mean clip?'],
    [{ clip: { x: 1, y: 2, color: 3 } }, 'clip.color: is not known here; use x, y'],
  ])('in %j suggests the probable name: %s', (given, fault) => {
    expect(faultsOf(given)).toEqual([fault]);
  });

  it.each([
    [{ width: 5.5 }, 'width must be a whole number, such as 640 (given: 5.5).'],
    [{ size: 'a' }, 'size must be an object, such as {"x":1,"y":2}.'],
    [{ size: { x: 1 } }, 'size.y is required, such as 2.'],
    [{ sizes: [{ x: 1, y: 2 }, { x: 3 }] }, 'sizes.1.y is required, such as 5.'],
    [{ page: 'http://a.example' }, 'page must begin with https (given: "http://a.example").'],
    [{ page: 'http://user@a.example' }, 'page must begin with https.'],
    [{ secret: 'short' }, 'secret must be longer.'],
    [{ kind: undefined }, 'kind is required: one of a, b.'],
    [{ withd: 1 }, 'withd is not an option of a test; did you mean width?'],
  ])('in %j shows a valid value: %s', (given, text) => {
    const size = z.strictObject({ x: z.int(), y: z.int() });
    const image = z.strictObject({
      width: z.int().optional().meta({ example: 640 }),
      size: size.optional().meta({ example: { x: 1, y: 2 } }),
      sizes: z
        .array(size)
        .default([])
        .meta({ example: [{ x: 4, y: 5 }] }),
      page: absoluteUrl('https:').optional(),
      secret: z
        .string()
        .refine((value) => value.length > 5, { error: 'must be longer' })
        .optional(),
      kind: z.enum(['a', 'b']),
    });
    expect(() => parseRequest(image, { kind: 'a', ...given }, 'a test')).toThrow(`The request is not valid: ${text}`);
  });

  it('hints at a URL that was not encoded', () => {
    const page = z.strictObject({ url: z.string() });
    expect(() => parseRequest(page, { url: 'https://a.example/?a=1', b: '2' }, 'a test')).toThrow(
      'b is not an option of a test (an & or # inside a URL must be percent-encoded).',
    );
    const hostile = { url: { toString: 1 }, b: '2' };
    expect(() => parseRequest(page, hostile, 'a test')).toThrow(/url must be .*; b is not an option of a test/);
  });

  it.each([
    [{ paper: 'A4' }, 'paper is not an option of a screenshot, but of a PDF.'],
    [{ viewport_width: 1 }, 'viewport_width is not an option of a screenshot; did you mean width?'],
    [{ headers: { 'X-Token': 4711 } }, 'headers.X-Token must be text.'],
    [{ toString: 1 }, 'toString is not an option of a screenshot.'],
    [{ metadata: { constructor: 5 } }, 'metadata.constructor must be text (given: 5).'],
    [{ delay: 1 }, 'delay is not an option of a screenshot; did you mean delay_ms?'],
  ])('suggests the probable option in %j: %s', (given, text) => {
    expect(() =>
      parseRequest(captureKinds.screenshot.request, { url: 'https://a.example/', ...given }, 'a screenshot'),
    ).toThrow(text);
  });

  it.each([
    [{ size: 'PNG' }, { message: 'must be one of png, jpeg; did you mean png?', value: 'PNG' }],
    [{ site: 'strict' }, { message: 'must be one of STRICT, LAX; did you mean STRICT?', value: 'strict' }],
    [{ size: 'tiff' }, { message: 'must be one of png, jpeg', value: 'tiff' }],
    [{ width: 5 }, { message: 'must be at least 16', value: 5 }],
    [{ width: 'wide' }, { message: 'must be a number', value: 'wide' }],
    [{ width: 'w'.repeat(41) }, { message: 'must be a number' }],
    [{ width: Number.POSITIVE_INFINITY }, { message: 'must be a number' }],
  ])('in %j shows the given value: %j', (given, fault) => {
    const image = z.strictObject({
      size: z.enum(['png', 'jpeg']).optional(),
      site: z.enum(['STRICT', 'LAX']).optional(),
      width: z.int().min(16).optional(),
    });
    const [field] = Object.keys(given);
    expect(() => parseRequest(image, given, 'a test')).toThrow(
      expect.objectContaining({ details: [{ field, ...fault }] }),
    );
  });

  it('does not occur for text beyond ASCII', () => {
    expect(faultsOf({ names: ['ä 😀'], metadata: { '☂': '\u0001\t\n' } })).toEqual([]);
  });

  it('in an endlessly nested value is reported too', () => {
    expect(faultsOf({ names: JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) })).toEqual([
      'names.0: must be text',
    ]);
  });

  it('never repeats a value', () => {
    const secret = 'whsec_c2VjcmV0';
    for (const given of [{ names: secret }, { clip: secret }, { codes: [{ secret }] }, { metadata: { a: [secret] } }]) {
      expect(JSON.stringify(faultsOf(given))).not.toContain(secret);
      expect(faultsOf(given)).not.toEqual([]);
    }
  });

  it('never repeats the value of a secret option, in any form', () => {
    const cookie = {
      name: 'a b',
      value: ['hush'],
      domain: 'hush hush',
      path: 'hush',
      same_site: 'hush',
      secure: 'hush',
    };
    const given = {
      url: 'https://a.example/',
      cookies: [cookie, { name: 'a', value: 'hush;', http_only: 4711 }, 'hush'],
      headers: { Host: 'hush', 'X-Key': 4711 },
      basic_auth: { username: 'hush:', password: 4711 },
    };
    const { request } = captureKinds.screenshot;
    const faults = requestFaults(request.safeParse(given), given, 'a screenshot', request);
    expect(faults.map(({ field }) => field)).toEqual(
      expect.arrayContaining(['cookies.0.same_site', 'cookies.0.secure']),
    );
    expect(JSON.stringify(faults)).not.toMatch(/hush|4711/);
  });

  it('is explained only if it is listed', () => {
    const faults = (given: object) => requestFaults(schema.safeParse(given), given, 'a test', schema);
    const explained = (given: object) => faults(given).filter(({ message }) => !/^is not (known|valid)$/.test(message));
    const names = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`codez${n}`, 1]));
    expect(faults(names)).toHaveLength(1_000);
    expect(explained(names)).toHaveLength(maxDetails);
    expect(explained({ codes: Array(1_000).fill(null), ...names })).toHaveLength(maxDetails);
  });

  it('is an ApiError with the status 400', () => {
    expect(() => parseRequest(schema, { no: 1 }, 'a test')).toThrow(ApiError);
    expect(new ApiError('INVALID_REQUEST', '').status).toBe(400);
  });
});
