import os from 'node:os';

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

/** Load average of the last minute: a value well above 0 before a run means that something else was running. */
export const loadNow = (): number => Math.round((os.loadavg()[0] ?? 0) * 10) / 10;
