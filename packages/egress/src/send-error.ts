import { EgressRefusal, errorCode, type RefusalReason } from './refusal.ts';

/** Why a delivery attempt failed: the values of the published delivery log. */
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

/** The log has no value for "no route". Like `refused`, it means that the connection failed immediately. */
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
  // The receiver ended the connection during a request or a response.
  UND_ERR_SOCKET: 'reset',
  ETIMEDOUT: 'timeout',
};

/**
 * Maps an error of `request` by class and code. Unknown codes come from reading the response: the HTTP parser's `HPE_…`, undici's
 * header and content-length errors.
 */
export function toSendError(error: unknown): SendError {
  if (error instanceof EgressRefusal) return errorOfReason[error.reason];
  const code = errorCode(error);
  // A TLS 1.3 server can reject the client after the handshake completed, for example for a missing certificate.
  if (code.startsWith('ERR_SSL_')) return 'tls';
  return errorOfCode[code] ?? 'invalid_response';
}

/** Only 2xx is a success. A final status is 200 to 599; any other status makes the response invalid. */
export function statusToSendError(status: number): SendError | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return 'redirect';
  if (status >= 400 && status < 500) return 'http_4xx';
  if (status >= 500 && status < 600) return 'http_5xx';
  return 'invalid_response';
}
