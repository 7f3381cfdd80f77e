import { ApiError, invalidRequest } from '@capture/contract/errors';
import { isDatabaseUnavailable } from '@capture/database/is-unavailable';
import type { Response } from 'express';

/** A database that was killed is back after this, where somebody starts it again, seconds. */
const databaseBackAfterS = 5;

/** The public form of whatever was thrown. What is not meant for clients becomes `INTERNAL` and says nothing of itself. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  // A path such as /api/v1/keys/%E0 that is no UTF-8: the router's own error.
  if (error instanceof URIError) return invalidRequest([{ field: '', message: 'the path is not valid' }]);
  if (isDatabaseUnavailable(error)) {
    return new ApiError('OVERLOADED', 'The service cannot reach its database at present. Try again later.', {
      cause: error,
      retryAfterS: databaseBackAfterS,
    });
  }
  return new ApiError('INTERNAL', 'Something went wrong on our side. The request can be tried again.', {
    cause: error,
  });
}

/** Answers with an error's one body; `requestId` is the capture's where there is one. */
export function sendError(res: Response, requestId: string, error: ApiError): void {
  if (error.retryAfterS !== undefined) {
    res.setHeader('Retry-After', error.retryAfterS);
    if (error.status === 429) res.setHeader('X-RateLimit-RetryAfter', error.retryAfterS);
  }
  if (error.code === 'UNAUTHORIZED') res.setHeader('WWW-Authenticate', 'Bearer');
  res.status(error.status).json(bodyOfError(requestId, error));
}

export function bodyOfError(requestId: string, error: ApiError) {
  return {
    error_code: error.code,
    error_message: error.message,
    request_id: requestId,
    ...(error.details && { details: error.details }),
  };
}
