/** One error in a request: the field (`items.5.width`) and a message. */
export interface ErrorDetail {
  field: string;
  message: string;
  /** The invalid value, if it is short and plain. */
  value?: string | number | boolean;
  /** A valid value of the field. */
  example?: unknown;
}

export interface ErrorFacts {
  /** The HTTP status. */
  status: number;
  /** The service's error code; `UNKNOWN` for the response of a proxy, which has none. */
  errorCode: string;
  /** The ID of the request or of the failed capture, for support. Null if the response has none. */
  requestId: string | null;
  /** The invalid fields of an `INVALID_REQUEST`, or the reasons of a `QUALITY_REJECTED`. */
  details: readonly ErrorDetail[];
  /** Seconds until the request may succeed; null if unknown. */
  retryAfterS: number | null;
}

/**
 * An error response of the service. Each error code has its own class below. A code that this version of the SDK does not
 * know is a plain `CaptureError`: compare `errorCode` to handle it.
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

/** No usable response: no connection, a timeout, a redirect, or an incomplete body. */
export class CaptureConnectionError extends Error {
  override name = 'CaptureConnectionError';
}

/** The service did not respond in time. */
export class CaptureConnectionTimeoutError extends CaptureConnectionError {
  override name = 'CaptureConnectionTimeoutError';
}

/** A wait timed out. The capture or batch continues: wait again, or cancel it. */
export class WaitTimeoutError extends Error {
  override name = 'WaitTimeoutError';
}

/** 400: the request is not valid; `details` lists the invalid fields. */
export class InvalidRequestError extends CaptureError {
  override name = 'InvalidRequestError';
}
/** 401: the key is missing, unknown or revoked. */
export class UnauthorizedError extends CaptureError {
  override name = 'UnauthorizedError';
}
/** 403: the key does not allow the request, or its account is suspended. */
export class ForbiddenError extends CaptureError {
  override name = 'ForbiddenError';
}
/** 403: the signature of a render link is not that of its text, or its key or secret was revoked. */
export class LinkInvalidError extends CaptureError {
  override name = 'LinkInvalidError';
}
/** 403: the link policy does not allow the link. */
export class LinkNotAllowedError extends CaptureError {
  override name = 'LinkNotAllowedError';
}
/** 410: the render link has expired. */
export class LinkExpiredError extends CaptureError {
  override name = 'LinkExpiredError';
}
/** 404: the resource does not exist, or belongs to another account. */
export class NotFoundError extends CaptureError {
  override name = 'NotFoundError';
}
/** 405: the path does not allow this method. */
export class MethodNotAllowedError extends CaptureError {
  override name = 'MethodNotAllowedError';
}
/** 408: the request body did not arrive in time. */
export class RequestTimeoutError extends CaptureError {
  override name = 'RequestTimeoutError';
}
/** 409: the email address is already registered. */
export class EmailTakenError extends CaptureError {
  override name = 'EmailTakenError';
}
/** 409: the last key of an account cannot be revoked; rotate it. */
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
/** 415: the body is not JSON. */
export class UnsupportedMediaTypeError extends CaptureError {
  override name = 'UnsupportedMediaTypeError';
}
/** 429: too many requests a second. */
export class RateLimitedError extends CaptureError {
  override name = 'RateLimitedError';
}
/** 429: the month's quota does not allow the request; `retryAfterS` is the time until it resets. */
export class QuotaExceededError extends CaptureError {
  override name = 'QuotaExceededError';
}
/** 431: the request's headers are too large. */
export class HeadersTooLargeError extends CaptureError {
  override name = 'HeadersTooLargeError';
}
/** 500: an internal error of the service. */
export class InternalError extends CaptureError {
  override name = 'InternalError';
}
/** 503: the service is overloaded. */
export class OverloadedError extends CaptureError {
  override name = 'OverloadedError';
}

/** An accepted capture that failed because of the page or the request. It does not count towards the quota. */
export class CaptureFailedError extends CaptureError {
  override name = 'CaptureFailedError';
}
/** 422, API profile A: the URL could not be reached. */
export class UrlUnreachableError extends CaptureFailedError {
  override name = 'UrlUnreachableError';
}
/** 422, API profile B: could not navigate to the URL. */
export class NavigationFailedError extends CaptureFailedError {
  override name = 'NavigationFailedError';
}
/** 422: the URL, or one that it redirects to, is blocked. */
export class UrlBlockedError extends CaptureFailedError {
  override name = 'UrlBlockedError';
}
/** 422: the page responded with a status in `fail_on_status`. */
export class HttpStatusError extends CaptureFailedError {
  override name = 'HttpStatusError';
}
/** 422: the capture has one of the reasons in `fail_on`; `details` lists all reasons, as `quality.<reason>`. */
export class QualityRejectedError extends CaptureFailedError {
  override name = 'QualityRejectedError';
}
/** 422: `selector`, `click` or `wait_for_selector` matched nothing in time. */
export class SelectorNotFoundError extends CaptureFailedError {
  override name = 'SelectorNotFoundError';
}
/** 422: the output would exceed the size limits. */
export class PageTooLargeError extends CaptureFailedError {
  override name = 'PageTooLargeError';
}
/** 504: the capture did not finish within `timeout_ms`. */
export class CaptureTimeoutError extends CaptureFailedError {
  override name = 'CaptureTimeoutError';
}
/** 500: the browser could not render the page, even on a second try. */
export class RenderingFailedError extends CaptureFailedError {
  override name = 'RenderingFailedError';
}

export const errorClasses = {
  INVALID_REQUEST: InvalidRequestError,
  UNAUTHORIZED: UnauthorizedError,
  FORBIDDEN: ForbiddenError,
  LINK_INVALID: LinkInvalidError,
  LINK_NOT_ALLOWED: LinkNotAllowedError,
  LINK_EXPIRED: LinkExpiredError,
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
  QUALITY_REJECTED: QualityRejectedError,
  SELECTOR_NOT_FOUND: SelectorNotFoundError,
  PAGE_TOO_LARGE: PageTooLargeError,
  CAPTURE_TIMEOUT: CaptureTimeoutError,
  RENDERING_FAILED: RenderingFailedError,
} as const satisfies Record<string, typeof CaptureError>;

/** The error codes that this version of the SDK knows. */
export type KnownErrorCode = keyof typeof errorClasses;

/** Creates an error of the class of its code. */
export function captureError(message: string, facts: ErrorFacts): CaptureError {
  const known: Readonly<Record<string, typeof CaptureError>> = errorClasses;
  const ErrorClass = Object.hasOwn(known, facts.errorCode) ? known[facts.errorCode] : undefined;
  return new (ErrorClass ?? CaptureError)(message, facts);
}
