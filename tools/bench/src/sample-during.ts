import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Reads a figure repeatedly while some work is in progress, at least once.
 *
 * @returns the figures, once the work has ended.
 * @throws the error of the work, or else of `read`. Both are thrown after the work has ended, so that the work never fails
 * unheard while its resources are closed.
 */
export async function sampleDuring(work: Promise<unknown>, everyMs: number, read: () => number): Promise<number[]> {
  const samples: number[] = [];
  let over = false;
  const sampling = async () => {
    while (!over) {
      samples.push(read());
      await sleep(everyMs);
    }
  };
  const working = work.finally(() => {
    over = true;
  });
  const results = await Promise.allSettled([working, sampling()]);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return samples;
}
