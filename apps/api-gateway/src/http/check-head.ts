import { ApiError, invalidRequest } from '@capture/contract/errors';
import type { Request } from 'express';

/** Servers commonly have this limit. Node keeps the first 2,000 headers and drops the rest silently. */
const maxHeaders = 100;

/** Headers that a request has once: of two values Node takes the first or joins them, and the client may have meant either. */
const single = ['x-api-key', 'authorization', 'idempotency-key', 'content-type', 'content-encoding', 'host'];

/**
 * Refuses a request whose headers can be read in more than one way, before anything uses them.
 *
 * @throws {ApiError} `HEADERS_TOO_LARGE`, or `INVALID_REQUEST` that names the header.
 */
export function checkHead(req: Request): void {
  if (req.rawHeaders.length / 2 > maxHeaders) {
    throw new ApiError('HEADERS_TOO_LARGE', `A request has at most ${maxHeaders} headers.`);
  }
  for (const name of single) {
    const values = new Set(req.headersDistinct[name]);
    if (values.size > 1) throw invalidRequest([{ field: name, message: 'is set twice, to different values' }]);
  }
  if (req.headers.host === undefined && req.httpVersion !== '1.0') {
    throw invalidRequest([{ field: 'host', message: 'is required' }]);
  }
  const { expect } = req.headers;
  if (expect !== undefined && !/^100-continue$/i.test(expect)) {
    throw invalidRequest([{ field: 'expect', message: 'must be 100-continue' }]);
  }
}
