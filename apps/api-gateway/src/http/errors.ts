import { ApiError, invalidRequest } from '@capture/contract/errors';
import { isDatabaseUnavailable } from '@capture/database/is-unavailable';
import { StoreUnavailable } from '@capture/storage/storage';
import type { Response } from 'express';
import type { Exchange } from './exchange.ts';

/**
 * Where a supervisor restarts a killed database, it is back after this time, seconds; the gateway assumes the same of a store.
 */
const backAfterS = 5;

/** The public form of a thrown value. An error that is not meant for clients becomes `INTERNAL`, without its details. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  // The router throws this error for a path that is not UTF-8, such as /api/v1/keys/%E0.
  if (error instanceof URIError) return invalidRequest([{ field: '', message: 'the path is not valid' }]);
  if (error instanceof StoreUnavailable) {
    return new ApiError('OVERLOADED', 'The service cannot reach its file store at the moment. Try again later.', {
      cause: error,
      retryAfterS: backAfterS,
    });
  }
  if (isDatabaseUnavailable(error)) {
    return new ApiError('OVERLOADED', 'The service cannot reach its database at the moment. Try again later.', {
      cause: error,
      retryAfterS: backAfterS,
    });
  }
  return new ApiError('INTERNAL', 'Something went wrong on our side. You can retry the request.', {
    cause: error,
  });
}

/** Responds with the one error body. The id in it is the capture's if the request has a capture, else the request's. */
export function sendError({ res, requestId }: Pick<Exchange, 'res' | 'requestId'>, error: ApiError): void {
  res.status(error.status).json(bodyOfError(requestId, error));
}

/** Sets the headers of an error; every protocol has the same. */
export function setErrorHeaders(res: Response, error: ApiError): void {
  if (error.retryAfterS !== undefined) {
    res.setHeader('Retry-After', error.retryAfterS);
    if (error.status === 429) res.setHeader('X-RateLimit-RetryAfter', error.retryAfterS);
  }
  res.append('Link', `</docs/errors#${error.code.toLowerCase()}>; rel="help"`);
  if (error.code === 'UNAUTHORIZED') res.setHeader('WWW-Authenticate', 'Bearer');
}

export function bodyOfError(requestId: string, error: ApiError) {
  return {
    error_code: error.code,
    error_message: error.message,
    request_id: requestId,
    ...(error.details && { details: error.details }),
  };
}
