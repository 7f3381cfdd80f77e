import { randomNumbers } from '@capture/testing/random';
import { describe, expect, it } from '@jest/globals';
import { expectedOf, poissonArrivals, simulate, workersFor } from './simulate.ts';

const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;

/** Returns the share of captures that wait, for `c` pages and `a` of offered work: Erlang's C. */
function erlangC(c: number, a: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 1; k < c; k += 1) {
    term *= a / k;
    sum += term;
  }
  const last = ((term * a) / c) * (c / (c - a));
  return last / (sum + last);
}

describe('simulate', () => {
  it('agrees with captures that are computed by hand', () => {
    // There are two pages on one core. Each capture is processor time alone, so that two at once take twice as long.
    const { tookMs, waitedMs, busy } = simulate({
      arrivalsMs: [0, 0, 0],
      workOf: () => ({ aloneMs: 100, processorMs: 100 }),
      workers: 1,
      pages: 2,
      cores: 1,
    });
    expect(tookMs).toEqual([200, 200, 300]);
    expect(waitedMs).toEqual([0, 0, 200]);
    expect(busy).toBeCloseTo(1);
  });

  it('lets captures that wait for the network run at the same time', () => {
    const { tookMs, busy } = simulate({
      arrivalsMs: [0, 0, 0, 0],
      workOf: () => ({ aloneMs: 100, processorMs: 25 }),
      workers: 1,
      pages: 4,
      cores: 1,
    });
    expect(tookMs).toEqual([100, 100, 100, 100]);
    expect(busy).toBeCloseTo(1);
  });

  it('distributes captures over workers', () => {
    const { tookMs } = simulate({
      arrivalsMs: [0, 0],
      workOf: () => ({ aloneMs: 100, processorMs: 100 }),
      workers: 2,
      pages: 2,
      cores: 1,
    });
    expect(tookMs).toEqual([100, 100]);
  });

  it.each([
    [1, 0.7],
    [4, 3.2],
    [8, 6],
  ])('waits as Erlang says that %i pages with %f of work do', (pages, offered) => {
    const random = randomNumbers(7);
    const count = 60_000;
    const serviceMs = 100;
    const times = Array.from({ length: count }, () => -Math.log(1 - random()) * serviceMs);
    const { waitedMs } = simulate({
      arrivalsMs: poissonArrivals(count, (offered / serviceMs) * 1_000, random),
      // Without processor time, only pages are short.
      workOf: (index) => ({ aloneMs: times[index] ?? 0, processorMs: 0 }),
      workers: 1,
      pages,
      cores: 1,
    });
    const theory = (erlangC(pages, offered) * serviceMs) / (pages - offered);
    expect(mean(waitedMs) / theory).toBeGreaterThan(0.9);
    expect(mean(waitedMs) / theory).toBeLessThan(1.1);
  });
});

describe('workersFor', () => {
  const demand = { work: [{ aloneMs: 800, processorMs: 300 }], pages: 4, cores: 2 };

  it('finds the smallest number that meets a target time', () => {
    const workers = workersFor({ ...demand, ratePerS: 40 }, 1_500, randomNumbers(3));
    expect(workers).not.toBeNull();
    const with_ = (count: number) => expectedOf({ ...demand, ratePerS: 40 }, count, randomNumbers(3)).p95Ms;
    expect(with_(workers! + 1)).toBeLessThanOrEqual(1_500);
    expect(with_(workers! - 1)).toBeGreaterThan(1_500);
  });

  it('returns null when no number does', () => {
    expect(workersFor({ ...demand, ratePerS: 1 }, 700, randomNumbers(3))).toBeNull();
  });
});
