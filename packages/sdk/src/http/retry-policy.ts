import { CaptureConnectionError, CaptureError } from '../errors.ts';

/** How requests are retried. */
export interface RetryPolicy {
  /** Attempts after the first. */
  maxRetries: number;
  /** The longest requested wait, milliseconds. If the service asks for a longer wait, the error is thrown instead. */
  maxRetryWaitMs: number;
}

/**
 * Whether a request may be repeated although the first request may have succeeded: `safe` because it is idempotent, `keyed`
 * because it has an `Idempotency-Key`, `once` never.
 */
export type Repeat = 'safe' | 'keyed' | 'once';

/** The first and the longest pause if the service asks for no pause, milliseconds. */
const firstPauseMs = 500;
const longestPauseMs = 8_000;

/** Statuses of temporary failures: a slow body, the rate limit, proxies, and overload. */
const temporaryStatuses: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/**
 * Returns the milliseconds to wait before the next attempt; null for no retry.
 *
 * @param tries the number of attempts so far. @param random 0 to 1, which spreads clients that failed together.
 */
export function pauseBefore(
  error: unknown,
  repeat: Repeat,
  tries: number,
  policy: RetryPolicy,
  random: number = Math.random(),
): number | null {
  if (tries > policy.maxRetries || !isRetryable(error, repeat)) return null;
  const requestedS = error instanceof CaptureError ? error.retryAfterS : null;
  if (requestedS === null) return Math.min(firstPauseMs * 2 ** (tries - 1), longestPauseMs) * (0.5 + random / 2);
  const requestedMs = requestedS * 1_000;
  return requestedMs > policy.maxRetryWaitMs ? null : requestedMs + firstPauseMs * random;
}

function isRetryable(error: unknown, repeat: Repeat): boolean {
  if (error instanceof CaptureConnectionError) return repeat !== 'once';
  if (!(error instanceof CaptureError) || !temporaryStatuses.has(error.status)) return false;
  // This is the outcome of a capture. A retry would take as long and end the same.
  if (error.errorCode === 'CAPTURE_TIMEOUT') return false;
  // A 429 comes before any work is done.
  return repeat !== 'once' || error.status === 429;
}

/**
 * Returns the seconds that a response asks to wait: `Retry-After`, as seconds or as a date, or `X-RateLimit-RetryAfter`. Null
 * if the response has neither.
 */
export function readRetryAfter(headers: Headers, now: number = Date.now()): number | null {
  for (const name of ['retry-after', 'x-ratelimit-retryafter']) {
    const text = headers.get(name)?.trim();
    if (!text) continue;
    if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
    const date = Date.parse(text);
    if (!Number.isNaN(date)) return Math.max(0, Math.ceil((date - now) / 1_000));
  }
  return null;
}
