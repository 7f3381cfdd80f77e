import { codeOf, EgressRefusal, type RefusalReason } from './refusal.ts';

/** Why an attempt to deliver failed: the words of the published delivery log. */
export type SendError =
  | 'timeout'
  | 'dns'
  | 'refused'
  | 'reset'
  | 'tls'
  | 'redirect'
  | 'blocked'
  | 'invalid_response'
  | 'http_4xx'
  | 'http_5xx';

/** The log knows no word for "no route": like `refused`, no connection came about, and that at once. */
const errorOfReason: Record<RefusalReason, SendError> = {
  blocked: 'blocked',
  dns: 'dns',
  refused: 'refused',
  reset: 'reset',
  tls: 'tls',
  timeout: 'timeout',
  unreachable: 'refused',
};

const errorOfCode: Record<string, SendError> = {
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  // undici: the receiver ended the connection in the middle of a request or an answer
  UND_ERR_SOCKET: 'reset',
  ETIMEDOUT: 'timeout',
};

/**
 * The word for an error that `request` threw, by class and code. What is none of the known ones came from reading the answer:
 * the HTTP parser's `HPE_…`, undici's header and content-length errors.
 */
export function sendErrorOf(error: unknown): SendError {
  if (error instanceof EgressRefusal) return errorOfReason[error.reason];
  const code = codeOf(error);
  // TLS 1.3 lets a server refuse the client, say for its missing certificate, after the handshake seemed complete.
  if (code.startsWith('ERR_SSL_')) return 'tls';
  return errorOfCode[code] ?? 'invalid_response';
}

/** Only 2xx is a success. No status below 200 ends an answer, and HTTP ends at 599: anything there is no valid response. */
export function sendErrorOfStatus(status: number): SendError | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return 'redirect';
  if (status >= 400 && status < 500) return 'http_4xx';
  if (status >= 500 && status < 600) return 'http_5xx';
  return 'invalid_response';
}
