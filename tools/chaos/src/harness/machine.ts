import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';

/** On what numbers were measured. */
export interface Machine {
  date: string;
  cores: number;
  memoryGb: number;
  node: string;
  /** What else there was to do: processes that wanted a core, on average over the last minute, before and after. */
  load: { before: number; after: number };
}

/** @param loadBefore `loadNow` of when the run began. */
export function describeMachine(loadBefore: number): Machine {
  return {
    date: new Date().toISOString().slice(0, 10),
    cores: os.availableParallelism(),
    memoryGb: Math.round(os.totalmem() / 1024 ** 3),
    node: process.version,
    load: { before: loadBefore, after: loadNow() },
  };
}

export function loadNow(): number {
  return Math.round(os.loadavg()[0]! * 10) / 10;
}

/** What a process holds in memory, MB; null if it has ended. */
export function residentMb(pid: number): number | null {
  try {
    if (process.platform === 'linux') {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024);
    }
    return Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024);
  } catch {
    return null;
  }
}

/** The value below which `share` of them lie; 0 of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
