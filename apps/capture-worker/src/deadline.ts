import { withTimeout } from '@capture/runtime/timeout';

/** The time by which work must end, on the monotonic clock. */
export class Deadline {
  /** The time from the start to the deadline, milliseconds. */
  readonly totalMs: number;
  readonly #end: number;

  constructor(totalMs: number) {
    this.totalMs = totalMs;
    this.#end = performance.now() + totalMs;
  }

  /** The time left, milliseconds; 0 after the deadline. */
  remainingMs(): number {
    return Math.max(0, this.#end - performance.now());
  }

  get passed(): boolean {
    return this.remainingMs() === 0;
  }
}

/** Work exceeded its time limit. */
export class TimeLimitError extends Error {
  override name = 'TimeLimitError';

  constructor(work: string, limitMs: number) {
    super(`${work} did not end within ${Math.round(limitMs)} ms`);
  }
}

/**
 * Waits for `work`, but at most `limitMs` milliseconds. Work that takes longer continues, and its later rejection is ignored.
 *
 * @throws {TimeLimitError}
 */
export function withTimeLimit<T>(what: string, limitMs: number, work: Promise<T>): Promise<T> {
  return withTimeout(limitMs, work, () => {
    throw new TimeLimitError(what, limitMs);
  });
}

/** Resolves after `ms` milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
