import { availableParallelism, totalmem } from 'node:os';

/** Throughput grows up to two captures a core and no further: 6.9, 7.8, 7.8 a second at 2, 4 and 8 on two cores. */
const capturesPerCore = 2;

/** A page of the web in its own renderer, with the picture on its way out; and what the worker and browser need anyway. */
const bytesPerCapture = 300 * 1024 * 1024;
const bytesOfBrowser = 500 * 1024 * 1024;

/** How many captures this machine makes at once, from its cores and its memory (or the container's share of both). */
export function defaultConcurrency(machine = { cores: availableParallelism(), bytes: usableMemory() }): number {
  const byCores = machine.cores * capturesPerCore;
  const byMemory = Math.floor((machine.bytes - bytesOfBrowser) / bytesPerCapture);
  return Math.max(1, Math.min(byCores, byMemory));
}

function usableMemory(): number {
  // Without a limit this is 0, or a number that no machine has.
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
