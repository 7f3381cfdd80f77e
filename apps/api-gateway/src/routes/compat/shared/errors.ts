import type { ApiError, ErrorCode } from '@capture/contract/errors';
import type { Response } from 'express';

/** The statuses of services that respond with 400 to every problem of a page. */
export const pageErrorsAre400: Partial<Record<ErrorCode, number>> = {
  URL_BLOCKED: 400,
  HTTP_STATUS: 400,
  QUALITY_REJECTED: 400,
  NAVIGATION_FAILED: 400,
  URL_UNREACHABLE: 400,
  SELECTOR_NOT_FOUND: 400,
  PAGE_TOO_LARGE: 400,
};

/** Sends the message of an error as plain text. @param statuses the statuses that differ from this service's. */
export function sendText(res: Response, { code, status, message }: ApiError, statuses: typeof pageErrorsAre400): void {
  res
    .status(statuses[code] ?? status)
    .type('text/plain')
    .send(message);
}
