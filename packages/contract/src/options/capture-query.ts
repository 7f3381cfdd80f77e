import { invalidRequest } from '../errors.ts';
import type { CaptureKind } from './capture-options.ts';
import { decodeQuery } from './parse-request.ts';

/** The options that a URL must not contain, because they are too long and URLs are logged on the way. */
export const bodyOnlyOptions: ReadonlySet<string> = new Set(['html']);

/**
 * Reads the options of a capture from a query and returns them as a JSON body would have them.
 *
 * @throws {ApiError} `INVALID_REQUEST` for an option that is given twice, or that only a body may have.
 */
export function decodeCaptureQuery(kind: CaptureKind, query: URLSearchParams): Record<string, unknown> {
  const decoded = decodeQuery(kind.request.in, query);
  const misplaced = Object.keys(decoded).filter((name) => bodyOnlyOptions.has(name));
  if (misplaced.length > 0) {
    throw invalidRequest(misplaced.map((field) => ({ field, message: 'can be sent only in the body of a POST' })));
  }
  return decoded;
}
