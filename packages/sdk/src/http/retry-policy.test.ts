import { describe, expect, it } from '@jest/globals';
import { CaptureConnectionError, captureError } from '../errors.ts';
import { pauseBefore, type Repeat, readRetryAfter } from './retry-policy.ts';

const policy = { maxRetries: 4, maxRetryWaitMs: 60_000 };

function response(status: number, more: { errorCode?: string; retryAfterS?: number } = {}) {
  const facts = { status, errorCode: 'UNKNOWN', requestId: null, details: [], retryAfterS: null, ...more };
  return captureError('no', facts);
}

const pauseOf = (error: unknown, repeat: Repeat = 'keyed', tries = 1, random = 0) =>
  pauseBefore(error, repeat, tries, policy, random);

describe('the pause before a retry', () => {
  it('doubles up to 8 s, with jitter over its second half', () => {
    const error = new CaptureConnectionError('gone');
    expect([1, 2, 3, 4].map((tries) => pauseOf(error, 'safe', tries, 1))).toEqual([500, 1_000, 2_000, 4_000]);
    expect(pauseOf(error, 'safe', 2, 0)).toBe(500);
    const patient = { maxRetries: 20, maxRetryWaitMs: 60_000 };
    expect(pauseBefore(error, 'safe', 12, patient, 1)).toBe(8_000);
  });

  it('is never shorter than the service asks, and there is no retry if it asks for too long', () => {
    expect(pauseOf(response(429, { retryAfterS: 3 }))).toBe(3_000);
    expect(pauseOf(response(503, { retryAfterS: 60 }), 'keyed', 1, 1)).toBe(60_500);
    expect(pauseOf(response(429, { errorCode: 'QUOTA_EXCEEDED', retryAfterS: 700_000 }))).toBeNull();
  });

  it('ends with the retries', () => {
    expect(pauseOf(response(503), 'safe', 4)).not.toBeNull();
    expect(pauseOf(response(503), 'safe', 5)).toBeNull();
  });

  it.each([
    [400, 'INVALID_REQUEST'],
    [401, 'UNAUTHORIZED'],
    [404, 'NOT_FOUND'],
    [409, 'IDEMPOTENCY_CONFLICT'],
    [422, 'NAVIGATION_FAILED'],
    [500, 'INTERNAL'],
    [500, 'RENDERING_FAILED'],
    [504, 'CAPTURE_TIMEOUT'],
  ])('there is none after %i %s, which would fail again', (status, errorCode) => {
    expect(pauseOf(response(status, { errorCode }), 'safe')).toBeNull();
  });

  it.each([408, 429, 502, 503, 504])('follows status %i', (status) => {
    expect([pauseOf(response(status), 'safe'), pauseOf(response(status), 'keyed')]).toEqual([250, 250]);
  });

  it('a request that must not be repeated is retried only if it was refused before any work', () => {
    expect(pauseOf(response(429), 'once')).toBe(250);
    expect([502, 503, 504].map((status) => pauseOf(response(status), 'once'))).toEqual([null, null, null]);
    expect(pauseOf(new CaptureConnectionError('gone'), 'once')).toBeNull();
  });

  it('does not follow a programming error', () => {
    expect(pauseOf(new TypeError('no'))).toBeNull();
  });
});

describe('the requested wait of a response', () => {
  const now = Date.parse('2026-11-20T10:00:00Z');
  const asked = (headers: Record<string, string>) => readRetryAfter(new Headers(headers), now);

  it.each([
    [{ 'Retry-After': '7' }, 7],
    [{ 'Retry-After': 'Fri, 20 Nov 2026 10:00:30 GMT' }, 30],
    [{ 'Retry-After': 'Fri, 20 Nov 2026 09:00:00 GMT' }, 0],
    [{ 'X-RateLimit-RetryAfter': '2' }, 2],
    [{ 'Retry-After': '5', 'X-RateLimit-RetryAfter': '2' }, 5],
    [{ 'Retry-After': 'soon', 'X-RateLimit-RetryAfter': '2' }, 2],
    [{}, null],
  ])('%j', (headers, seconds) => {
    expect(asked(headers as Record<string, string>)).toBe(seconds);
  });
});
