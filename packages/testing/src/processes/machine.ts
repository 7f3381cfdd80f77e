import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** The machine that figures were measured on, and when. */
export interface Machine {
  date: string;
  cores: number;
  processor: string;
  memoryGb: number;
  kernel: string;
  node: string;
}

export function describeMachine(): Machine {
  return {
    date: new Date().toISOString().slice(0, 10),
    cores: os.availableParallelism(),
    processor: os.cpus()[0]?.model ?? 'unknown',
    memoryGb: Math.round(os.totalmem() / 1024 ** 3),
    kernel: `${os.type()} ${os.release()}`,
    node: process.version,
  };
}

/** The load average of the last minute. A value well above 0 before a run means that another process was running. */
export const loadNow = (): number => Math.round((os.loadavg()[0] ?? 0) * 10) / 10;

/** Measures the share of all processors that is busy in a second, 0 to 1. The caller should be idle. */
export async function busyShare(): Promise<number> {
  const before = processorTimes();
  await sleep(1_000);
  const after = processorTimes();
  const total = after.total - before.total;
  return total > 0 ? (after.busy - before.busy) / total : 0;
}

function processorTimes(): { busy: number; total: number } {
  const times = os.cpus().map(({ times: each }) => each);
  const total = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0);
  return { busy: total - times.reduce((sum, { idle }) => sum + idle, 0), total };
}
