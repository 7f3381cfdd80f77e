/** A moment that a piece of work may not pass, on the clock that nobody sets. */
export class Deadline {
  readonly #end: number;

  /** @param fromNowMs milliseconds from now. */
  constructor(fromNowMs: number) {
    this.#end = performance.now() + fromNowMs;
  }

  /** Milliseconds left; 0 once it has passed. */
  left(): number {
    return Math.max(0, this.#end - performance.now());
  }

  get passed(): boolean {
    return this.left() === 0;
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
export async function withinTime<T>(what: string, limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeLimitError(what, limitMs)), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves after `ms` milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
