import { invalidRequest } from '../errors.ts';
import type { CaptureKind } from './capture-options.ts';
import { decodeQuery } from './parse-request.ts';

/** Options that do not belong into a URL: too long for one, and kept by whatever logs it on the way. */
export const bodyOnlyOptions: ReadonlySet<string> = new Set(['html']);

/**
 * The options of a capture as a query spells them, as a JSON body would have them.
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
