import { expect, it } from '@jest/globals';
import { firstIdAt, newId } from './ids.ts';

/** An id in Crockford's base 32, in lower case: five bits per character. */
const random = /^req_[0-9a-hjkmnp-tv-z]{10}([0-9a-hjkmnp-tv-z]{16})$/;
const at = new Date('2026-11-20T12:00:00Z');

const randomPartOf = (id: string) => random.exec(id)?.[1] ?? '';

it('an id ends with 80 random bits: 16 characters of five', () => {
  expect(randomPartOf(newId('req', at))).toHaveLength(16);
});

it('every random character takes every value, even in ids of one moment, so that the next id cannot be guessed', () => {
  const ids = Array.from({ length: 5_000 }, () => randomPartOf(newId('req', at)));
  expect(new Set(ids).size).toBe(ids.length);
  for (let position = 0; position < 16; position += 1) {
    // The chance that one of 32 values is missing among 5,000 is 1 in 10^66.
    expect(new Set(ids.map((id) => id[position])).size).toBe(32);
  }
  // Incremented ids would be in order.
  expect(ids).not.toEqual([...ids].sort());
  const prefixes = new Set(ids.map((id) => id.slice(0, 8)));
  expect(prefixes.size).toBeGreaterThan(4_900);
});

it('ids sort by their time', () => {
  const later = new Date(at.getTime() + 1);
  expect(newId('req', at) < firstIdAt('req', later)).toBe(true);
  expect(newId('req', later) > firstIdAt('req', later)).toBe(true);
});
