import { setImmediate } from 'node:timers/promises';

/** How long one request may occupy the event loop before others get their turn, milliseconds. */
const turnMs = 5;

/** Runs work that yields between its steps, and lets other requests run whenever its turn is over. */
export async function inSteps<Result>(work: Generator<unknown, Result>): Promise<Result> {
  let turnEndsAt = performance.now() + turnMs;
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() < turnEndsAt) continue;
    await setImmediate();
    turnEndsAt = performance.now() + turnMs;
  }
}
