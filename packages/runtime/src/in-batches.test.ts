import { expect, it } from '@jest/globals';
import { inBatches } from './in-batches.ts';

/** Returns a function that doubles numbers in batches, which end on the test's request. */
function open(atMost: number) {
  const batches: (readonly number[])[] = [];
  const release: ((error?: Error) => void)[] = [];
  const double = inBatches(atMost, async (items: readonly number[]) => {
    batches.push(items);
    await new Promise<void>((resolve, reject) => release.push((error) => (error ? reject(error) : resolve())));
    return items.map((item) => item * 2);
  });
  return { batches, release, double };
}

const settled = () => new Promise(setImmediate);

it('runs a call at once and later calls together, never two batches at once', async () => {
  const { batches, release, double } = open(10);
  const first = double(1);
  await settled();
  const others = [double(2), double(3), double(4)];
  await settled();
  expect(batches).toEqual([[1]]);
  release[0]?.();
  expect(await first).toBe(2);
  await settled();
  expect(batches).toEqual([[1], [2, 3, 4]]);
  release[1]?.();
  expect(await Promise.all(others)).toEqual([4, 6, 8]);
});

it('limits the size of a batch; the rest follows', async () => {
  const { batches, release, double } = open(2);
  const calls = Promise.all([1, 2, 3, 4, 5].map(double));
  for (let batch = 0; batch < 3; batch++) {
    await settled();
    release[batch]?.();
  }
  expect(await calls).toEqual([2, 4, 6, 8, 10]);
  expect(batches).toEqual([[1, 2], [3, 4], [5]]);
});

it('rejects only the calls of the failed batch, and continues', async () => {
  const { release, double } = open(10);
  const failing = [double(1), double(2)].map((call) => call.catch((error: Error) => error.message));
  await settled();
  const next = double(3);
  release[0]?.(new Error('no'));
  expect(await Promise.all(failing)).toEqual(['no', 'no']);
  await settled();
  release[1]?.();
  expect(await next).toBe(6);
});
