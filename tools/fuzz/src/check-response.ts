import { errorBody } from '@capture/contract/api/responses';
import type { RawResponse } from '@capture/testing/network/send-bytes';

/** Parts that a response may lack, depending on its request. */
export interface Expected {
  /** Whether the service may keep the client waiting for a capture, for events, or for the rest of the bytes. */
  mayWait: boolean;
  /** Whether the response has no body, such as the response to `HEAD`. */
  bodiless: boolean;
  /** Whether the error body has the form of another service. */
  isTheirs: boolean;
}

/** Describes the error in the response to an invalid or unusual request; null if the response is right. */
export function findFault({ status, headers, body, waited }: RawResponse, expected: Expected): string | null {
  if (status === null) return waited && expected.mayWait ? null : waited ? 'no response' : 'closed without a response';
  if (status === 100) return null;
  if (status >= 200 && status < 300) return null;
  if (headers['x-content-type-options'] !== 'nosniff') return `${status} without the headers for browsers`;
  if (status < 400) return `${status} is a redirect`;
  if (expected.bodiless) return status >= 500 ? `${status}` : null;
  if (expected.isTheirs) return status >= 500 && status !== 503 ? `${status} ${body.slice(0, 200)}` : null;
  const error = errorBody.safeParse(parseJson(body));
  if (!error.success) return `${status} without the error body: ${body.slice(0, 200)}`;
  const { error_code, request_id } = error.data;
  if (headers['x-request-id'] !== request_id) return `${status} with a request_id that differs from its header`;
  if (status >= 500 && !(status === 503 && error_code === 'OVERLOADED')) return `${status} ${error_code}`;
  if (status === 405 && headers.allow === undefined) return '405 without Allow';
  if ((status === 429 || status === 503) && !(Number(headers['retry-after']) >= 0))
    return `${status} without Retry-After`;
  return null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
