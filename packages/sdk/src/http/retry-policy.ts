import { CaptureConnectionError, CaptureError } from '../errors.ts';

/** How often and how long a request is tried again. */
export interface RetryPolicy {
  /** Tries after the first. */
  maxRetries: number;
  /** A wait that the service asks for and that is longer is not waited for: the error is thrown. Milliseconds. */
  maxRetryWaitMs: number;
}

/**
 * Whether a request may be sent again although the first may have done its work: `safe` since it makes nothing, or the
 * same; `keyed` since its `Idempotency-Key` says that it is the same; `once` never.
 */
export type Repeat = 'safe' | 'keyed' | 'once';

/** The first pause where the service names none, and the longest, milliseconds. */
const firstPauseMs = 500;
const longestPauseMs = 8_000;

/** A body that came too slowly, too many requests, and what proxies and an overloaded service say. */
const passingStatuses: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/**
 * Milliseconds to wait before the next try; null if there is none.
 *
 * @param tries how many there were. @param random 0 to 1: many clients that failed together do not come back together.
 */
export function pauseBefore(
  error: unknown,
  repeat: Repeat,
  tries: number,
  policy: RetryPolicy,
  random: number = Math.random(),
): number | null {
  if (tries > policy.maxRetries || !mayPass(error, repeat)) return null;
  const asked = error instanceof CaptureError ? error.retryAfterS : null;
  if (asked === null) return Math.min(firstPauseMs * 2 ** (tries - 1), longestPauseMs) * (0.5 + random / 2);
  const askedMs = asked * 1_000;
  return askedMs > policy.maxRetryWaitMs ? null : askedMs + firstPauseMs * random;
}

function mayPass(error: unknown, repeat: Repeat): boolean {
  if (error instanceof CaptureConnectionError) return repeat !== 'once';
  if (!(error instanceof CaptureError) || !passingStatuses.has(error.status)) return false;
  // The outcome of a capture, which another try would not change and would take as long.
  if (error.errorCode === 'CAPTURE_TIMEOUT') return false;
  // A 429 is said before anything is done.
  return repeat !== 'once' || error.status === 429;
}

/**
 * The seconds that an answer asks to wait: `Retry-After`, as seconds or as a date, or `X-RateLimit-RetryAfter`. Null
 * where it asks for none.
 */
export function retryAfterOf(headers: Headers, now: number = Date.now()): number | null {
  for (const name of ['retry-after', 'x-ratelimit-retryafter']) {
    const text = headers.get(name)?.trim();
    if (!text) continue;
    if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
    const date = Date.parse(text);
    if (!Number.isNaN(date)) return Math.max(0, Math.ceil((date - now) / 1_000));
  }
  return null;
}
