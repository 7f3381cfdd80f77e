import { describe, expect, it } from '@jest/globals';
import { randomNumbers } from './random.ts';
import { geometricMean, median, quantile, rotate } from './statistics.ts';

function someNumbers(seed: number): number[] {
  const random = randomNumbers(seed);
  return Array.from({ length: 50 }, () => 1 + random() * 1_000);
}

describe('quantiles', () => {
  it('are interpolated between members', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(quantile([10, 20, 30, 40, 50], 0.25)).toBe(20);
    expect(quantile([10, 20], 1)).toBe(20);
  });

  it('of no values are NaN', () => {
    expect(median([])).toBeNaN();
  });

  it('do not depend on the order, and do not sort in place', () => {
    const values = someNumbers(1);
    const before = [...values];
    expect(median(values.toReversed())).toBe(median(values));
    expect(values).toEqual(before);
  });
});

describe('the geometric mean', () => {
  it('lets twice as slow and twice as fast cancel out', () => {
    expect(geometricMean([2, 0.5])).toBeCloseTo(1);
    expect(geometricMean([10, 1_000])).toBeCloseTo(100);
  });

  it('of ratios equals the ratio of geometric means', () => {
    const [ours, theirs] = [someNumbers(1), someNumbers(2)];
    const ratios = ours.map((value, index) => value / (theirs[index] ?? 1));
    expect(geometricMean(ours) / geometricMean(theirs)).toBeCloseTo(geometricMean(ratios));
  });
});

it('rotates every member through every position', () => {
  const members = ['a', 'b', 'c'];
  expect([0, 1, 2, 3].map((round) => rotate(members, round)[0])).toEqual(['a', 'b', 'c', 'a']);
  expect(rotate(members, 1)).toEqual(['b', 'c', 'a']);
});
