import { withTimeout } from '@capture/runtime/timeout';

/** A moment that a piece of work may not pass, on the clock that nobody sets. */
export class Deadline {
  readonly #end: number;

  /** @param fromNowMs milliseconds from now. */
  constructor(fromNowMs: number) {
    this.#end = performance.now() + fromNowMs;
  }

  /** Milliseconds left; 0 once it has passed. */
  remainingMs(): number {
    return Math.max(0, this.#end - performance.now());
  }

  get passed(): boolean {
    return this.remainingMs() === 0;
  }
}

/** A piece of work took longer than it may. */
export class TimeLimitError extends Error {
  override name = 'TimeLimitError';

  constructor(work: string, limitMs: number) {
    super(`${work} did not end within ${Math.round(limitMs)} ms`);
  }
}

/**
 * Waits for `work`, but no longer than `limitMs`. Work that is given up goes on by itself; that it fails later harms
 * nobody.
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
