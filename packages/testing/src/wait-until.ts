import { setTimeout as sleep } from 'node:timers/promises';

/** How often the condition is looked at. */
const intervalMs = 10;

/** Far more than anything here takes: only a test that fails waits so long. Less than a test's own time limit. */
const patienceMs = 60_000;

/**
 * Waits until `condition` gives something truthy and returns that. It is called at once, then every 10 ms; one that
 * throws counts as not yet.
 *
 * @param options.what what is waited for, as the failure says it: `the capture to be completed`.
 * @throws Error naming `what`, with the last value or error, after `timeoutMs` (60,000).
 */
export async function waitUntil<Value>(
  condition: () => Value | Promise<Value>,
  options: { what: string; timeoutMs?: number },
): Promise<Exclude<Awaited<Value>, false | null | undefined | 0 | ''>> {
  const { what, timeoutMs = patienceMs } = options;
  const end = Date.now() + timeoutMs;
  for (;;) {
    let seen: unknown;
    let cause: unknown;
    try {
      const value = await condition();
      if (value) return value as Exclude<Awaited<Value>, false | null | undefined | 0 | ''>;
      seen = value;
    } catch (error) {
      cause = error;
    }
    if (Date.now() >= end) {
      const last = cause === undefined ? `it gave ${JSON.stringify(seen)}` : `it threw ${String(cause)}`;
      throw new Error(`waited ${timeoutMs} ms for ${what}; at last ${last}`, { cause });
    }
    await sleep(intervalMs);
  }
}
