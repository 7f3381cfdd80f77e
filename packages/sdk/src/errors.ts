/** One fault of a request: where (`items.5.width`) and what. */
export interface ErrorDetail {
  field: string;
  message: string;
}

/** What the service said of an error. */
export interface ErrorFacts {
  /** The HTTP status. */
  status: number;
  /** The service's word for it; an answer of something between you and the service has none and is `UNKNOWN`. */
  errorCode: string;
  /** The request, of a capture that failed the capture: what to name when you ask somebody. Null where none was told. */
  requestId: string | null;
  /** Of an `INVALID_REQUEST`: each field at fault. */
  details: readonly ErrorDetail[];
  /** Seconds after which the request may succeed; null where none were told. */
  retryAfterS: number | null;
}

/**
 * The service answered with an error. Each of its error codes has a class of its own below; a code that this version of
 * the SDK does not know stays a plain `CaptureError`, so compare `errorCode` where you must know.
 */
export class CaptureError extends Error implements ErrorFacts {
  override name = 'CaptureError';
  readonly status: number;
  readonly errorCode: string;
  readonly requestId: string | null;
  readonly details: readonly ErrorDetail[];
  readonly retryAfterS: number | null;

  constructor(message: string, facts: ErrorFacts) {
    super(message);
    this.status = facts.status;
    this.errorCode = facts.errorCode;
    this.requestId = facts.requestId;
    this.details = facts.details;
    this.retryAfterS = facts.retryAfterS;
  }
}

/** No answer came, or none that could be read: no connection, a timeout, a redirect, a body that broke off. */
export class CaptureConnectionError extends Error {
  override name = 'CaptureConnectionError';
}

/** The service did not answer in time. */
export class CaptureConnectionTimeoutError extends CaptureConnectionError {
  override name = 'CaptureConnectionTimeoutError';
}

/** What was waited for did not end in the time given. It goes on: wait again, or cancel it. */
export class WaitTimeoutError extends Error {
  override name = 'WaitTimeoutError';
}

/** 400: the request is not valid; `details` names each field at fault. */
export class InvalidRequestError extends CaptureError {
  override name = 'InvalidRequestError';
}
/** 401: the key is missing, unknown or revoked. */
export class UnauthorizedError extends CaptureError {
  override name = 'UnauthorizedError';
}
/** 403: the key may not do this; its account may be suspended. */
export class ForbiddenError extends CaptureError {
  override name = 'ForbiddenError';
}
/** 404: there is no such thing, or it is somebody else's. */
export class NotFoundError extends CaptureError {
  override name = 'NotFoundError';
}
/** 405: the path does not take this method. */
export class MethodNotAllowedError extends CaptureError {
  override name = 'MethodNotAllowedError';
}
/** 408: the request's body did not come in time. */
export class RequestTimeoutError extends CaptureError {
  override name = 'RequestTimeoutError';
}
/** 409: the address is registered already. */
export class EmailTakenError extends CaptureError {
  override name = 'EmailTakenError';
}
/** 409: the last key of an account is rotated, not revoked. */
export class LastKeyError extends CaptureError {
  override name = 'LastKeyError';
}
/** 409: the `Idempotency-Key` was used for another request. */
export class IdempotencyConflictError extends CaptureError {
  override name = 'IdempotencyConflictError';
}
/** 413: the body is too large, or a batch has too many items. */
export class PayloadTooLargeError extends CaptureError {
  override name = 'PayloadTooLargeError';
}
/** 415: the body is no JSON. */
export class UnsupportedMediaTypeError extends CaptureError {
  override name = 'UnsupportedMediaTypeError';
}
/** 429: too many requests a second. */
export class RateLimitedError extends CaptureError {
  override name = 'RateLimitedError';
}
/** 429: the month's captures are used up; `retryAfterS` runs to its end. */
export class QuotaExceededError extends CaptureError {
  override name = 'QuotaExceededError';
}
/** 431: the request's headers are too large. */
export class HeadersTooLargeError extends CaptureError {
  override name = 'HeadersTooLargeError';
}
/** 500: a fault of the service. */
export class InternalError extends CaptureError {
  override name = 'InternalError';
}
/** 503: too much is waiting. */
export class OverloadedError extends CaptureError {
  override name = 'OverloadedError';
}

/** A capture that was taken on and came to nothing: the page's fault or the request's. It costs no quota. */
export class CaptureFailedError extends CaptureError {
  override name = 'CaptureFailedError';
}
/** 422, form A: the URL could not be reached. */
export class UrlUnreachableError extends CaptureFailedError {
  override name = 'UrlUnreachableError';
}
/** 422, form B: could not navigate to the URL. */
export class NavigationFailedError extends CaptureFailedError {
  override name = 'NavigationFailedError';
}
/** 422: the URL, or one that it redirects to, leads where captures may not go. */
export class UrlBlockedError extends CaptureFailedError {
  override name = 'UrlBlockedError';
}
/** 422: the page answered a status that `fail_on_status` names. */
export class HttpStatusError extends CaptureFailedError {
  override name = 'HttpStatusError';
}
/** 422: `selector`, `click` or `wait_for_selector` matched nothing in time. */
export class SelectorNotFoundError extends CaptureFailedError {
  override name = 'SelectorNotFoundError';
}
/** 422: the output would pass the size limits. */
export class PageTooLargeError extends CaptureFailedError {
  override name = 'PageTooLargeError';
}
/** 504: not finished within `timeout_ms`. */
export class CaptureTimeoutError extends CaptureFailedError {
  override name = 'CaptureTimeoutError';
}
/** 500: the browser could not draw the page, after one fresh try. */
export class RenderingFailedError extends CaptureFailedError {
  override name = 'RenderingFailedError';
}

/** Error codes and their classes. */
export const errorClasses = {
  INVALID_REQUEST: InvalidRequestError,
  UNAUTHORIZED: UnauthorizedError,
  FORBIDDEN: ForbiddenError,
  NOT_FOUND: NotFoundError,
  METHOD_NOT_ALLOWED: MethodNotAllowedError,
  REQUEST_TIMEOUT: RequestTimeoutError,
  EMAIL_TAKEN: EmailTakenError,
  LAST_KEY: LastKeyError,
  IDEMPOTENCY_CONFLICT: IdempotencyConflictError,
  PAYLOAD_TOO_LARGE: PayloadTooLargeError,
  UNSUPPORTED_MEDIA_TYPE: UnsupportedMediaTypeError,
  RATE_LIMITED: RateLimitedError,
  QUOTA_EXCEEDED: QuotaExceededError,
  HEADERS_TOO_LARGE: HeadersTooLargeError,
  INTERNAL: InternalError,
  OVERLOADED: OverloadedError,
  URL_UNREACHABLE: UrlUnreachableError,
  NAVIGATION_FAILED: NavigationFailedError,
  URL_BLOCKED: UrlBlockedError,
  HTTP_STATUS: HttpStatusError,
  SELECTOR_NOT_FOUND: SelectorNotFoundError,
  PAGE_TOO_LARGE: PageTooLargeError,
  CAPTURE_TIMEOUT: CaptureTimeoutError,
  RENDERING_FAILED: RenderingFailedError,
} as const satisfies Record<string, typeof CaptureError>;

/** The error codes that this version of the SDK knows. */
export type KnownErrorCode = keyof typeof errorClasses;

/** An error of the class of its code. */
export function captureError(message: string, facts: ErrorFacts): CaptureError {
  const known: Readonly<Record<string, typeof CaptureError>> = errorClasses;
  const ErrorClass = Object.hasOwn(known, facts.errorCode) ? known[facts.errorCode] : undefined;
  return new (ErrorClass ?? CaptureError)(message, facts);
}
