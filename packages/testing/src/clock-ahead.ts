import { jest } from '@jest/globals';

const allButDate = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

/** Runs `work` while the clock of only this process is ahead by `ms` milliseconds. */
export async function withClockAhead<T>(ms: number, work: () => Promise<T>): Promise<T> {
  jest.useFakeTimers({ now: Date.now() + ms, doNotFake: [...allButDate] });
  try {
    return await work();
  } finally {
    jest.useRealTimers();
  }
}
