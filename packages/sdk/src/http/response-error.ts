import { CaptureConnectionError, type CaptureError, captureError, type ErrorDetail } from '../errors.ts';
import { readRetryAfter } from './retry-policy.ts';

/** The maximum number of characters of the body in a message. The error page of a proxy may be long. */
const maxExcerpt = 200;

/** Makes the error of a response of the service, or of a proxy in front of the service. */
export async function responseError(response: Response, what: string): Promise<CaptureError | CaptureConnectionError> {
  const { status, headers } = response;
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    const target = originOf(headers.get('location'), response.url);
    return new CaptureConnectionError(`${what} was redirected${target}: is baseUrl right?`);
  }
  const text = await response.text();
  const body = parseBody(text);
  const errorCode = typeof body.error_code === 'string' ? body.error_code : 'UNKNOWN';
  const message =
    typeof body.error_message === 'string'
      ? body.error_message
      : `${what} failed with status ${status}: ${text.slice(0, maxExcerpt)}`;
  return captureError(message, {
    status,
    errorCode,
    requestId: typeof body.request_id === 'string' ? body.request_id : headers.get('x-request-id'),
    details: Array.isArray(body.details) ? (body.details as ErrorDetail[]) : [],
    retryAfterS: readRetryAfter(headers),
  });
}

function parseBody(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function originOf(location: string | null, base: string): string {
  return location !== null && URL.canParse(location, base) ? ` to ${new URL(location, base).origin}` : '';
}
