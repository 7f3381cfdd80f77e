import { withTimeout } from '@capture/runtime/timeout';

/** The time by which work must end, on the monotonic clock. */
export class Deadline {
  /** Milliseconds from when it was made. */
  readonly totalMs: number;
  readonly #end: number;

  constructor(totalMs: number) {
    this.totalMs = totalMs;
    this.#end = performance.now() + totalMs;
  }

  /** 0 once it has passed. */
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
 * Waits for `work`, but no longer than `limitMs` milliseconds. Work that takes longer continues, and a later rejection of it
 * is ignored.
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
