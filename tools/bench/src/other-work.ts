import { readdirSync } from 'node:fs';
import os from 'node:os';
import { processTree, readStat } from '@capture/testing/processes/process-list';

/** How often the processes are read, milliseconds: each time takes a few. */
const everyMs = 2_000;

/** Linux counts processor time in these, whatever the kernel. */
const ticksPerS = 100;

/** The process that starts the kernel's own ones. */
const kernelParent = '2';

/** What processes other than this one and its descendants use of the processors, the kernel's own left out. Linux only. */
export class OtherWork {
  readonly #timer = setInterval(() => this.#sample(), everyMs).unref();
  readonly #startedAt = performance.now();
  #ticks = 0;
  #before = ticksOfOthers();

  /** @returns the share of all processors since the start, 0 to 1. */
  end(): number {
    clearInterval(this.#timer);
    this.#sample();
    const availableS = ((performance.now() - this.#startedAt) / 1_000) * os.availableParallelism();
    return this.#ticks / ticksPerS / availableS;
  }

  #sample(): void {
    const now = ticksOfOthers();
    for (const [pid, ticks] of now) this.#ticks += Math.max(0, ticks - (this.#before.get(pid) ?? 0));
    this.#before = now;
  }
}

/** By process id. */
function ticksOfOthers(): Map<number, number> {
  const ticks = new Map<number, number>();
  if (process.platform !== 'linux') return ticks;
  const own = new Set(processTree(process.pid));
  for (const pid of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    if (own.has(pid)) continue;
    try {
      const fields = readStat(pid);
      if (fields[1] !== kernelParent) ticks.set(pid, Number(fields[11]) + Number(fields[12]));
    } catch {
      // It has exited.
    }
  }
  return ticks;
}
