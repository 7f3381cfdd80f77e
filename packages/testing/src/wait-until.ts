import { setTimeout as sleep } from 'node:timers/promises';

/** The first interval between checks. Intervals grow with the wait, so that a long wait does not load the database. */
const shortestIntervalMs = 10;
const longestIntervalMs = 200;

/** Only a failing test waits this long. A test's own limit is longer, so that the failure names the condition. */
const defaultTimeoutMs = 100_000;

/**
 * Waits until `condition` returns something truthy, and returns that. A condition that throws counts as not yet met.
 *
 * @param options.what the condition in words, for the failure: `the capture to complete`.
 * @param options.timeoutMs 100,000 by default.
 * @param options.everyMs the interval at first, if a check takes much processor time.
 * @throws Error naming `what`, with the last value or error, after the timeout.
 */
export async function waitUntil<Value>(
  condition: () => Value | Promise<Value>,
  options: { what: string; timeoutMs?: number; everyMs?: number },
): Promise<Exclude<Awaited<Value>, false | null | undefined | 0 | ''>> {
  const { what, timeoutMs = defaultTimeoutMs, everyMs = shortestIntervalMs } = options;
  const startedAt = Date.now();
  for (;;) {
    let result: unknown;
    let cause: unknown;
    try {
      const value = await condition();
      if (value) return value as Exclude<Awaited<Value>, false | null | undefined | 0 | ''>;
      result = value;
    } catch (error) {
      cause = error;
    }
    const waitedMs = Date.now() - startedAt;
    if (waitedMs >= timeoutMs) {
      const last = cause === undefined ? `returned ${JSON.stringify(result)}` : `threw ${String(cause)}`;
      throw new Error(`waited ${timeoutMs} ms for ${what}; the last check ${last}`, { cause });
    }
    await sleep(Math.min(longestIntervalMs, everyMs + waitedMs / 50));
  }
}
