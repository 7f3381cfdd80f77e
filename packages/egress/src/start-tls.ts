import { isIP, type Socket } from 'node:net';
import { connect, type SecureContext, type TLSSocket } from 'node:tls';
import type { DialTarget } from './dial.ts';
import { EgressRefusal, reasonOfSocketError } from './refusal.ts';

export interface TlsOptions {
  /** The trusted authorities. They are created once, because reading the certificates takes longer than starting a handshake. */
  secureContext: SecureContext;
  /** The time for the handshake, milliseconds. */
  timeoutMs: number;
  /** Aborts the handshake; the promise then rejects as `reset`. */
  signal?: AbortSignal;
}

/**
 * Starts verified TLS on a dialled connection. Sessions are never resumed, because Node.js does not check the certificate's name
 * on a resumed session.
 *
 * @throws {EgressRefusal} with reason `tls`, `reset` or `timeout`; the connection is then destroyed
 */
export function startTls(
  socket: Socket,
  target: DialTarget,
  { secureContext, timeoutMs, signal }: TlsOptions,
): Promise<TLSSocket> {
  const name = target.hostname.replace(/\.$/, '');
  return new Promise((resolve, reject) => {
    const secured = connect({
      socket,
      host: name,
      // The server name must not be an address (RFC 6066 §3). Node still checks the certificate for the address.
      ...(isIP(name) ? {} : { servername: name }),
      secureContext,
      ALPNProtocols: ['http/1.1'],
      // This is explicit, so that NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment cannot turn the check off.
      rejectUnauthorized: true,
    });
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onClose);
    };
    const fail = (reason: 'tls' | 'reset' | 'timeout', cause?: unknown) => {
      settle();
      secured.destroy();
      socket.destroy();
      reject(new EgressRefusal(reason, target, { cause }));
    };
    const timer = setTimeout(() => fail('timeout'), timeoutMs);
    const onClose = () => fail('reset');
    const onError = (cause: unknown) => {
      const reason = reasonOfSocketError(cause);
      fail(reason === 'reset' || reason === 'timeout' ? reason : 'tls', cause);
    };
    socket.on('error', onError);
    secured.on('error', onError);
    secured.once('close', onClose);
    signal?.addEventListener('abort', onClose);
    if (signal?.aborted) onClose();
    secured.once('secureConnect', () => {
      settle();
      secured.off('close', onClose);
      secured.off('error', onError);
      resolve(secured);
    });
  });
}
