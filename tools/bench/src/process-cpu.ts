import { readFileSync } from 'node:fs';

/** Of Linux, whatever the kernel: ticks a second in what it tells of processes. */
const ticksPerS = 100;

/**
 * The processor time that the whole machine has used so far but for these processes, milliseconds. A browser's processes end
 * with the pages that they draw, and what they used is not told of them afterwards: only the machine knows of it. It is
 * as true as the machine is otherwise idle.
 */
export function machineMs(butFor: readonly number[]): number {
  const [, user, nice, system, , , irq, softirq] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(
    / +/,
  );
  const ticks = [user, nice, system, irq, softirq].reduce((sum, each) => sum + Number(each), 0);
  return (ticks / ticksPerS) * 1_000 - processorMs(butFor);
}

/**
 * The processor time that processes have used so far, milliseconds, with that of their children that have ended and
 * whose end they looked at.
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
