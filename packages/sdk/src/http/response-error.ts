import { CaptureConnectionError, type CaptureError, captureError, type ErrorDetail } from '../errors.ts';
import { retryAfterOf } from './retry-policy.ts';

/** What is read of the body of an error, characters: an error page of a proxy may be long. */
const longestExcerpt = 200;

/** The error that an answer stands for: the service's own, or that of a proxy before it, which speaks another language. */
export async function responseError(response: Response, what: string): Promise<CaptureError | CaptureConnectionError> {
  const { status, headers } = response;
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    const place = originOf(headers.get('location'), response.url);
    return new CaptureConnectionError(`${what} was answered with a redirect${place}: is baseUrl right?`);
  }
  const text = await response.text();
  const body = parsed(text);
  const errorCode = typeof body.error_code === 'string' ? body.error_code : 'UNKNOWN';
  const message =
    typeof body.error_message === 'string'
      ? body.error_message
      : `${what} was answered with ${status}: ${text.slice(0, longestExcerpt)}`;
  return captureError(message, {
    status,
    errorCode,
    requestId: typeof body.request_id === 'string' ? body.request_id : headers.get('x-request-id'),
    details: Array.isArray(body.details) ? (body.details as ErrorDetail[]) : [],
    retryAfterS: retryAfterOf(headers),
  });
}

function parsed(text: string): Record<string, unknown> {
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
