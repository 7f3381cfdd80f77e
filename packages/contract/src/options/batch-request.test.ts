import { describe, expect, it } from '@jest/globals';
import { ApiError, maxDetails } from '../errors.ts';
import { parseBatch } from './batch-request.ts';

const url = 'https://example.com/';

function errorOf(given: unknown, itemsAtMost = 10): ApiError {
  try {
    parseBatch(given, itemsAtMost);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('nothing was found wrong');
}

const faultsOf = (given: unknown) => errorOf(given).details?.map(({ field, message }) => `${field} ${message}`);

describe('a batch', () => {
  it('merges its defaults into each item; the item’s options take precedence, and a null unsets a default', () => {
    const { items } = parseBatch(
      {
        items: [{ url }, { url, width: 800 }, { url, format: null, quality: null }],
        options: { width: 640, format: 'jpeg', quality: 50 },
      },
      10,
    );
    expect(items.map(({ options }) => options)).toEqual([
      { url, width: 640, format: 'jpeg', quality: 50 },
      { url, width: 800, format: 'jpeg', quality: 50 },
      { url, width: 640 },
    ]);
    expect(items.map(({ filled }) => filled.height)).toEqual([720, 720, 720]);
  });

  it('names each fault by its item, or by the default that contains it', () => {
    const items = [{ url }, { url: 'x', width: 1 }, { url, async: true }];
    expect(faultsOf({ items, options: { height: 1 } })).toEqual([
      'options.height must be at least 16',
      'items.1.url must be an absolute URL (http or https), such as https://example.com/',
      'items.1.width must be at least 16',
      expect.stringMatching(/^items\.2\.async is not an option of a screenshot/),
    ]);
  });

  it.each([
    [undefined, 'the body must be a JSON object'],
    [[], 'the body must be a JSON object'],
    [{}, 'items is required'],
    [{ items: {} }, 'items must be an array'],
    [{ items: [] }, 'items must have at least 1 entry'],
    [{ items: [{ url }], webhook_url: 'http://x.example' }, 'webhook_url must begin with https'],
    [{ items: [{ url: `${url}\u0000` }] }, 'items.0.url must not contain NUL or half a surrogate pair'],
    [JSON.parse(`{"items":[{"url":"${url}","__proto__":1}]}`), 'items.0.__proto__ is not an option of a screenshot'],
    [
      JSON.parse(`{"items":[{"url":"${url}","metadata":{"__proto__":"a"}}]}`),
      'items.0.metadata must not have the name',
    ],
    [{ items: [{ url }], options: { constructor: 1 } }, 'options.constructor is not an option of a screenshot'],
  ])('%.50j: %s', (given, fault) => {
    expect(errorOf(given).message.startsWith(`The request is not valid: ${fault}`)).toBe(true);
  });

  it('is refused at once if an object has more names than any request needs', () => {
    const crowd = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`name_${index}`, 1]));
    const items = Array.from({ length: 1_000 }, () => ({ url }));
    expect(errorOf({ items, options: crowd }, 1_000).details).toEqual([
      { field: 'options', message: 'must have at most 1,000 fields' },
    ]);
    expect(faultsOf({ items: [{ url }, crowd] })).toEqual(['items.1 must have at most 1,000 fields']);
    expect(faultsOf({ items: [{ url, metadata: crowd }] })).toEqual([
      'items.0.metadata must have at most 1,000 fields',
    ]);
    expect(faultsOf(crowd)).toEqual([' the body must have at most 1,000 fields']);
  });

  it('lists and explains the first faults, and counts the others', () => {
    const items = Array.from({ length: 100 }, () => ({ url, hieght: 1 }));
    const { message, details } = errorOf({ items, options: { widht: 1 } }, 100);
    expect(details).toHaveLength(maxDetails);
    expect(message).toMatch(/; and 81 more\.$/);
    expect(details?.[0]?.message).toBe('is not an option of a screenshot; did you mean width?');
    expect(details?.at(-1)?.message).toBe('is not an option of a screenshot; did you mean height?');
  });

  it('of too many items is too large, and its items are not read', () => {
    const items = Array.from({ length: 11 }, () => ({ url }));
    expect(parseBatch({ items: items.slice(1) }, 10).items).toHaveLength(10);
    expect(errorOf({ items })).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', status: 413 });
    const unread = new Proxy(items, {
      get(target, name) {
        if (name === '0') throw new Error('an item was looked at');
        return Reflect.get(target, name);
      },
    });
    expect(errorOf({ items: unread })).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });

  it('is too large if its options, counted with each item, have more than 20 MB', () => {
    const items = Array.from({ length: 240 }, () => ({ url }));
    const options = { css: 'x'.repeat(90_000) };
    expect(errorOf({ items, options }, 240)).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', status: 413 });
    expect(parseBatch({ items: items.slice(0, 200), options }, 240).items).toHaveLength(200);
  });
});
