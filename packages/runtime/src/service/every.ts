import type { Logger } from './log.ts';

/** The longest time to a first run, milliseconds, so that processes that live for less than an hour run hourly tasks too. */
const firstWithinMs = 300_000;

/**
 * Runs `task` every `intervalMs` milliseconds, for the first time after one interval or five minutes. Runs never overlap: a run
 * that takes longer than the interval delays the next. A failure is logged and does not stop later runs.
 *
 * @returns a function that stops the runs and resolves when a run in progress has ended.
 */
export function every(
  intervalMs: number,
  name: string,
  log: Pick<Logger, 'warn'>,
  task: () => Promise<unknown>,
): () => Promise<void> {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout;
  const schedule = (afterMs: number) => {
    timer = setTimeout(() => {
      running = run();
    }, afterMs);
  };
  async function run(): Promise<void> {
    try {
      await task();
    } catch (error) {
      log.warn({ err: error, task: name }, 'a periodic task failed; it runs again');
    }
    if (!stopped) schedule(intervalMs);
  }
  schedule(Math.min(intervalMs, firstWithinMs));
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
}
