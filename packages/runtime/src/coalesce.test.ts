import { expect, it } from '@jest/globals';
import { coalesce } from './coalesce.ts';

it('runs a task one more time after calls during a run, never twice at once', async () => {
  let atOnce = 0;
  let runs = 0;
  const release: (() => void)[] = [];
  const run = coalesce(async () => {
    runs += 1;
    atOnce += 1;
    expect(atOnce).toBe(1);
    await new Promise<void>((resolve) => release.push(resolve));
    atOnce -= 1;
  });
  const calls = [run(), run(), run()];
  expect(runs).toBe(1);
  release.pop()?.();
  await calls[0];
  await new Promise(setImmediate);
  expect(runs).toBe(2);
  release.pop()?.();
  await Promise.all(calls);
  expect(runs).toBe(2);
});

it('rejects the calls of a run that failed, and continues after it', async () => {
  let fail = true;
  const run = coalesce(async () => {
    if (fail) throw new Error('no');
  });
  const first = run();
  const second = run();
  await expect(first).rejects.toThrow('no');
  await expect(second).rejects.toThrow('no');
  fail = false;
  await expect(run()).resolves.toBeUndefined();
});
