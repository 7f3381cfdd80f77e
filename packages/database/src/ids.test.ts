import { expect, it } from '@jest/globals';
import { firstIdAt, newId } from './ids.ts';

/** Crockford's base 32, in lower case: five bits a character. */
const random = /^req_[0-9a-hjkmnp-tv-z]{10}([0-9a-hjkmnp-tv-z]{16})$/;
const at = new Date('2026-11-20T12:00:00Z');

const randomPartOf = (id: string) => random.exec(id)?.[1] ?? '';

it('an id ends with 80 random bits: 16 characters of five', () => {
  expect(randomPartOf(newId('req', at))).toHaveLength(16);
});

it('every character of them takes every value, in ids of one moment too, so that no neighbour can be counted up', () => {
  const ids = Array.from({ length: 5_000 }, () => randomPartOf(newId('req', at)));
  expect(new Set(ids).size).toBe(ids.length);
  for (let place = 0; place < 16; place += 1) {
    // That one of 32 is missing among 5,000 happens once in 10^66 times.
    expect(new Set(ids.map((id) => id[place])).size).toBe(32);
  }
  // Counted up, they would be in order.
  expect(ids).not.toEqual([...ids].sort());
  const prefixes = new Set(ids.map((id) => id.slice(0, 8)));
  expect(prefixes.size).toBeGreaterThan(4_900);
});

it('sorts by its moment', () => {
  const later = new Date(at.getTime() + 1);
  expect(newId('req', at) < firstIdAt('req', later)).toBe(true);
  expect(newId('req', later) > firstIdAt('req', later)).toBe(true);
});
