import { readFileSync } from 'node:fs';

/** Of Linux, whatever the kernel: ticks a second in what it tells of processes. */
const ticksPerS = 100;

/**
 * The processor time that processes have used so far, milliseconds, with that of their children that have ended. Unlike
 * the time on the clock it hardly depends on what else the machine does.
 */
export function processorMs(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The name before them is in brackets and may hold anything. Own and children's, each in user and kernel mode.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      ticks += [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
    } catch {
      // It has ended meanwhile.
    }
  }
  return (ticks / ticksPerS) * 1_000;
}
