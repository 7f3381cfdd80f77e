import os from 'node:os';
import { listProcesses, readStat } from '@capture/testing/processes/process-list';

/** How often the processes are read, milliseconds. Each reading takes a few. */
const everyMs = 2_000;

/** Linux counts processor time in ticks of this length. */
const ticksPerS = 100;

/** The process that starts the kernel's own processes. */
const kernelParent = 2;

/**
 * Measures the processor time of other processes. Excludes this process, its descendants, processes that have a file in this
 * process's folder (such as a peer's browser that outlives its parent), and those of the kernel. Linux only.
 */
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

/** Returns ticks by process id. */
function ticksOfOthers(): Map<number, number> {
  const ticks = new Map<number, number>();
  if (process.platform !== 'linux') return ticks;
  const all = listProcesses();
  const folder = process.env.TEST_FOLDER;
  const isOwn = ({ pid, commandLine }: { pid: number; commandLine: string }) =>
    pid === process.pid || (folder !== undefined && commandLine.includes(folder));
  const own = new Set(all.filter(isOwn).map(({ pid }) => pid));
  for (let before = -1; before < own.size; ) {
    before = own.size;
    for (const { pid, parent } of all) if (own.has(parent)) own.add(pid);
  }
  for (const { pid, parent } of all) {
    if (own.has(pid) || parent === kernelParent) continue;
    try {
      const fields = readStat(pid);
      ticks.set(pid, Number(fields[11]) + Number(fields[12]));
    } catch {
      // The process has exited.
    }
  }
  return ticks;
}
