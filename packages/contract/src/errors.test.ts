import { expect, it } from '@jest/globals';
import { ApiError, captureErrorCodes, errorStatus, invalidRequest } from './errors.ts';

it('every code has the status of the contract’s table', () => {
  expect(errorStatus).toEqual({
    INVALID_REQUEST: 400,
    UNAUTHORIZED: 401,
    FORBIDDEN: 403,
    LINK_INVALID: 403,
    LINK_NOT_ALLOWED: 403,
    NOT_FOUND: 404,
    METHOD_NOT_ALLOWED: 405,
    REQUEST_TIMEOUT: 408,
    EMAIL_TAKEN: 409,
    LAST_KEY: 409,
    IDEMPOTENCY_CONFLICT: 409,
    LINK_EXPIRED: 410,
    PAYLOAD_TOO_LARGE: 413,
    UNSUPPORTED_MEDIA_TYPE: 415,
    RATE_LIMITED: 429,
    QUOTA_EXCEEDED: 429,
    HEADERS_TOO_LARGE: 431,
    INTERNAL: 500,
    OVERLOADED: 503,
    URL_UNREACHABLE: 422,
    NAVIGATION_FAILED: 422,
    URL_BLOCKED: 422,
    HTTP_STATUS: 422,
    QUALITY_REJECTED: 422,
    SELECTOR_NOT_FOUND: 422,
    PAGE_TOO_LARGE: 422,
    CAPTURE_TIMEOUT: 504,
    RENDERING_FAILED: 500,
  });
  expect([...captureErrorCodes].sort()).toEqual([
    'CAPTURE_TIMEOUT',
    'HTTP_STATUS',
    'NAVIGATION_FAILED',
    'PAGE_TOO_LARGE',
    'QUALITY_REJECTED',
    'RENDERING_FAILED',
    'SELECTOR_NOT_FOUND',
    'URL_BLOCKED',
    'URL_UNREACHABLE',
  ]);
});

it('an error keeps its cause for the log and shows only its public message', () => {
  const cause = new Error('password authentication failed for user "capture"');
  const error = new ApiError('INTERNAL', 'Something went wrong.', { cause });
  expect(error.status).toBe(500);
  expect(error.message).toBe('Something went wrong.');
  expect(error.cause).toBe(cause);
  expect(Object.hasOwn(new ApiError('NOT_FOUND', 'No.'), 'cause')).toBe(false);
});

it('an invalid request names its fields', () => {
  const details = [
    { field: 'width', message: 'must be at least 16', value: 5 },
    { field: '', message: 'the body must be a JSON object' },
  ];
  const error = invalidRequest(details);
  expect(error.message).toBe(
    'The request is not valid: width must be at least 16 (given: 5); the body must be a JSON object.',
  );
  expect(error.details).toEqual(details);
});

it('an invalid request names 20 fields at most and counts the others', () => {
  const error = invalidRequest(Array.from({ length: 1_000 }, (_, i) => ({ field: `f${i}`, message: 'is wrong' })));
  expect(error.details).toHaveLength(20);
  expect(error.message).toMatch(/f19 is wrong; and 980 more\.$/);
});
