import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readStat } from './process-list.ts';

const MiB = 1024 ** 2;

/** Returns the resident memory of a process, MB; null once the process has exited. */
export function residentMb(pid: number): number | null {
  try {
    return Math.round(residentBytes(pid) / MiB);
  } catch {
    return null;
  }
}

/** Returns the resident memory of a process, bytes. @throws once the process has exited. */
export function residentBytes(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024;
}

/** Sums the memory of processes, MB, with shared pages counted once (PSS). Linux only; exited processes count as 0. */
export function proportionalMb(pids: readonly number[]): number {
  let kilobytes = 0;
  for (const pid of pids) {
    try {
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
      kilobytes += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
    } catch {
      // The process has exited.
    }
  }
  return kilobytes / 1024;
}

/** Linux counts processor time in ticks of this length. */
const ticksPerS = 100;

/** Sums the processor time of processes so far, milliseconds, with that of their collected children. Linux only. */
export function processorMs(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    try {
      const fields = readStat(pid);
      // The fields are the times of the process and of its children, each in user and kernel mode.
      ticks += [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
    } catch {
      // The process has exited.
    }
  }
  return (ticks / ticksPerS) * 1_000;
}

/**
 * Returns the processor time of the whole machine so far, milliseconds, without that of these processes. A browser's processes
 * end with their pages, and their time is then in no other process's total, so only the machine's total has it. The more idle
 * the rest of the machine, the more exact is the time.
 */
export function machineMs(excluded: readonly number[]): number {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const [, user, nice, system, , , irq, softirq] = line.split(/ +/);
  const ticks = [user, nice, system, irq, softirq].reduce((sum, each) => sum + Number(each), 0);
  return (ticks / ticksPerS) * 1_000 - processorMs(excluded);
}
