import { expect, it } from '@jest/globals';
import { monthOf, nextMonth } from './month.ts';

it.each([
  ['2026-11-20T10:00:00.000Z', '2026-11', '2026-12-01T00:00:00.000Z'],
  ['2026-12-01T00:00:00.000Z', '2026-12', '2027-01-01T00:00:00.000Z'],
  ['2026-12-31T23:59:59.999Z', '2026-12', '2027-01-01T00:00:00.000Z'],
  ['2027-01-01T00:00:00.000Z', '2027-01', '2027-02-01T00:00:00.000Z'],
  // By the clocks of New York and Auckland these two times are in another month.
  ['2026-11-01T03:59:59-04:00', '2026-11', '2026-12-01T00:00:00.000Z'],
  ['2026-12-01T05:00:00+13:00', '2026-11', '2026-12-01T00:00:00.000Z'],
  ['2028-01-31T12:00:00.000Z', '2028-01', '2028-02-01T00:00:00.000Z'],
  ['2028-02-29T23:59:59.999Z', '2028-02', '2028-03-01T00:00:00.000Z'],
])('%s is in the month %s, the next of which begins at %s', (moment, month, next) => {
  expect(monthOf(new Date(moment))).toBe(month);
  expect(nextMonth(new Date(moment)).toISOString()).toBe(next);
});
