import fc from 'fast-check';

/** Picks a value as often as its weight says. */
export function weighted<Values extends unknown[]>(
  ...choices: { [Index in keyof Values]: [weight: number, arbitrary: fc.Arbitrary<Values[Index]>] }
): fc.Arbitrary<Values[number]> {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

/** Texts that have broken parsers, databases and terminals. */
export const hostileText: fc.Arbitrary<string> = weighted(
  [3, fc.string({ unit: 'binary', maxLength: 40 })],
  [1, fc.string({ maxLength: 2_000 })],
  [
    6,
    fc.constantFrom(
      '',
      ' ',
      '\0',
      'a\0b',
      '\\u0000',
      '\ud800',
      '\udfff\ud800',
      '\ufeff',
      '\u202e\u200b',
      '\r\nX-Injected: yes',
      "' OR 1=1 --",
      '$1',
      '%00',
      '%s%n',
      '../../../../etc/passwd',
      '..%2f..%2f',
      '{{7*7}}#{7*7}',
      '<script>alert(1)</script>',
      '__proto__',
      'constructor',
      'toString',
      'NaN',
      'Infinity',
      '-0',
      '1e400',
      '9'.repeat(400),
      'null',
      'true',
      '[]',
      '{}',
      '[[[[',
      'x'.repeat(20_000),
      '😀'.repeat(300),
      'İ'.repeat(100),
      'http://[::1',
      'http://a b/',
      'https://127.0.0.1/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'https://user:password@127.0.0.1/',
      '9999-12-31T23:59:59.999-23:59',
      '0000-01-01T00:00:00Z',
      '+275760-09-13T00:00:00Z',
      '-271821-04-20T00:00:00Z',
      '2026-02-30T00:00:00Z',
      '2026-11-20T24:00:00Z',
    ),
  ],
);

/** Numbers at and beyond the limits of JavaScript, Postgres and Redis, as far as JSON can express them. */
export const hostileNumber: fc.Arbitrary<number> = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(-0, 0, -1, 0.5, 1e21, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 63, -(2 ** 63)),
);

/** Names that objects inherit, and arbitrary names. */
export const hostileName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'length', '', '0', '*sealed'),
  hostileText,
);

/** Any JSON value, often of another type than expected. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  hostileNumber,
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom([], {}, [[]], [null], { a: {} }, [{}, []]),
  fc.array(hostileText, { maxLength: 4 }),
  fc.dictionary(hostileName, hostileText, { maxKeys: 4 }),
  fc.integer({ min: 2, max: 60 }).map(nested),
  fc.integer({ min: 40, max: 1_200 }).map((length) => Array.from({ length }, () => 'a')),
);

function nested(depth: number): unknown {
  let value: unknown = 'deep';
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}
