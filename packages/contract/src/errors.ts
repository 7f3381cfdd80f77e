/** The error codes that clients see, with the HTTP status of each. */
export const errorStatus = {
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
  // These are the statuses of failed synchronous captures.
  URL_UNREACHABLE: 422,
  NAVIGATION_FAILED: 422,
  URL_BLOCKED: 422,
  HTTP_STATUS: 422,
  QUALITY_REJECTED: 422,
  SELECTOR_NOT_FOUND: 422,
  PAGE_TOO_LARGE: 422,
  CAPTURE_TIMEOUT: 504,
  RENDERING_FAILED: 500,
} as const;

export type ErrorCode = keyof typeof errorStatus;

export const captureErrorCodes = [
  'URL_UNREACHABLE',
  'NAVIGATION_FAILED',
  'URL_BLOCKED',
  'HTTP_STATUS',
  'QUALITY_REJECTED',
  'SELECTOR_NOT_FOUND',
  'PAGE_TOO_LARGE',
  'CAPTURE_TIMEOUT',
  'RENDERING_FAILED',
] as const satisfies readonly ErrorCode[];

export type CaptureErrorCode = (typeof captureErrorCodes)[number];

/** One fault of a request: its field (`items.5.width`) and a message that follows the field's name. */
export interface ErrorDetail {
  field: string;
  message: string;
  /** The given value, if it is short and plain. */
  value?: string | number | boolean;
  /** A valid value of the field. */
  example?: unknown;
}

/** An error with a code, a public message, and a `cause` for the log. Any other error becomes `INTERNAL`, without its message. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[] | undefined;
  /** The whole seconds after which the request may succeed; sent as `Retry-After`. */
  readonly retryAfterS: number | undefined;

  constructor(
    code: ErrorCode,
    publicMessage: string,
    more: { details?: readonly ErrorDetail[]; retryAfterS?: number; cause?: unknown } = {},
  ) {
    super(publicMessage, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.details = more.details;
    this.retryAfterS = more.retryAfterS;
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

/** The most faults in one response. Without this limit a small request could cause much work and a large response. */
export const maxDetails = 20;

/** Creates a 400 that names the first 20 faulty fields. @param cause only the log shows it. */
export function invalidRequest(details: readonly ErrorDetail[], cause?: unknown): ApiError {
  const named = details.slice(0, maxDetails);
  const texts = named.map(({ field, message, value, example }) => {
    const such = example === undefined ? '' : `, such as ${JSON.stringify(example)}`;
    const given = value === undefined ? '' : ` (given: ${JSON.stringify(value)})`;
    return `${field && `${field} `}${message}${such}${given}`;
  });
  if (details.length > named.length) texts.push(`and ${details.length - named.length} more`);
  const text = texts.join('; ');
  return new ApiError('INVALID_REQUEST', `The request is not valid: ${text}${text.endsWith('?') ? '' : '.'}`, {
    details: named,
    cause,
  });
}
