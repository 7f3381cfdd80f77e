import os from 'node:os';
import type { Chromium } from '@capture/provisioning/chromium';

/** When and on what figures were measured. */
export interface Machine {
  date: string;
  cores: number;
  processor: string;
  memoryGb: number;
  kernel: string;
  node: string;
  chromium: string;
  command: string;
  /** Processes that waited for a core when it began, over the last minute: something else was running where it is not near 0. */
  loadAtStart: number;
}

export function describeMachine(chromium: Chromium, args: readonly string[]): Machine {
  return {
    date: new Date().toISOString().slice(0, 10),
    cores: os.availableParallelism(),
    processor: os.cpus()[0]?.model ?? 'unknown',
    memoryGb: Math.round(os.totalmem() / 1024 ** 3),
    kernel: `${os.type()} ${os.release()}`,
    node: process.version,
    chromium: chromium.version,
    command: ['npm run bench', ...(args.length > 0 ? ['--', ...args] : [])].join(' '),
    loadAtStart: os.loadavg()[0] ?? 0,
  };
}
