import { ApiError, invalidRequest } from '@capture/contract/errors';
import type { Response } from 'express';

/** What Express' body parser throws; its `type` is the documented way to tell its errors apart. */
interface BodyParserError {
  type: string;
}

/** The public form of whatever was thrown. What is not meant for clients becomes `INTERNAL` and says nothing of itself. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  switch ((error as BodyParserError | undefined)?.type) {
    case 'entity.too.large':
      return new ApiError('PAYLOAD_TOO_LARGE', 'The body is larger than 5 MB.');
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON in UTF-8, plain or compressed with gzip.');
    case 'entity.parse.failed':
    case 'entity.verify.failed':
    case 'request.size.invalid':
    case 'request.aborted':
      return invalidRequest([{ field: '', message: 'the body is not valid JSON' }]);
  }
  // A path such as /api/v1/keys/%E0 that is no UTF-8: the router's own error.
  if (error instanceof URIError) return invalidRequest([{ field: '', message: 'the path is not valid' }]);
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
  res.status(error.status).json({
    error_code: error.code,
    error_message: error.message,
    request_id: requestId,
    ...(error.details && { details: error.details }),
  });
}
