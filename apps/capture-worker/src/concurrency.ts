import { availableParallelism } from 'node:os';
import { usableMemory } from './limits.ts';

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

/**
 * How many pages are kept ready for so many captures at once. Each capture that ends makes one anew before the next is
 * taken, so half is enough unless more than that begin at the same moment; the others would take 30 MB of memory for that
 * (180 rather than 212 MB for the browser at 4, the pages in use among them).
 */
export function pagesReady(concurrency: number): number {
  return Math.ceil(concurrency / 2);
}
