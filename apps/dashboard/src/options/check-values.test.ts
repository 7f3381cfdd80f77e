import { expect, it } from '@jest/globals';
import { checkValues } from './check-values.ts';

const options = {
  width: { type: 'integer', minimum: 16, maximum: 7_680 },
  delay_ms: { type: 'integer', minimum: 0 },
  hide_selectors: { type: 'array', items: { type: 'string' }, maxItems: 2 },
  clip: { type: 'object' },
} as const;

it('reports the fault of an option before a request is sent', () => {
  const values = { width: 8, delay_ms: -1, hide_selectors: ['a', 'b', 'c'], clip: '{"x":' };
  expect(checkValues(structuredClone(options), values)).toEqual({
    width: 'must be between 16 and 7680',
    delay_ms: 'must be at least 0',
    hide_selectors: 'has 3 entries; the limit is 2',
    clip: 'is not valid JSON',
  });
  expect(checkValues(structuredClone(options), { width: 16.5 })).toEqual({ width: 'must be a whole number' });
});

it('accepts values in range, unset options, and options that it does not know', () => {
  const values = { width: 1_280, delay_ms: undefined, hide_selectors: ['a'], clip: { x: 1 }, later: 1 };
  expect(checkValues(structuredClone(options), values)).toEqual({});
});
