/**
 * Why a target was not reached.
 * - `blocked`: the address rules forbid it (or its scheme)
 * - `dns`: the name has no address, or the resolver did not respond in time
 * - `refused`, `reset`, `timeout`, `unreachable`: the TCP error
 * - `tls`: connected, but without a trusted TLS session
 */
export type RefusalReason = 'blocked' | 'dns' | 'refused' | 'reset' | 'tls' | 'timeout' | 'unreachable';

/**
 * A target that the rules forbid or that could not be reached. `message` is one sentence for the client. It names the host and
 * requested port, but never the address behind a name, which would reveal the operator's network.
 */
export class EgressRefusal extends Error {
  override readonly name = 'EgressRefusal';
  readonly reason: RefusalReason;
  /** Whether the resolver did not respond in time; the reason is then `dns`. */
  readonly lookUpTimedOut: boolean;

  constructor(
    reason: RefusalReason,
    target: { hostname: string; port: number },
    { lookUpTimedOut = false, ...options }: ErrorOptions & { lookUpTimedOut?: boolean } = {},
  ) {
    super(describeRefusal(reason, target), options);
    this.reason = reason;
    this.lookUpTimedOut = lookUpTimedOut;
  }
}

const reasonOfCode: Record<string, RefusalReason> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  ETIMEDOUT: 'timeout',
};

/** The reason for a socket's error, by its code; `unreachable` for codes that are not from the remote host. */
export function reasonOfSocketError(error: unknown): RefusalReason {
  return reasonOfCode[errorCode(error)] ?? 'unreachable';
}

/** The `code` of a system, OpenSSL, HTTP parser or undici error; empty if the error has no code. */
export function errorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : '';
}

function describeRefusal(reason: RefusalReason, { hostname, port }: { hostname: string; port: number }): string {
  const target = `${hostname}:${port}`;
  switch (reason) {
    case 'blocked':
      return `${target} is not a public address. The operator can allow it with EGRESS_ALLOW.`;
    case 'dns':
      return `The name ${hostname} could not be resolved.`;
    case 'refused':
      return `${target} refused the connection.`;
    case 'reset':
      return `${target} closed the connection before it responded.`;
    case 'tls':
      return `No trusted TLS connection to ${target} could be made.`;
    case 'timeout':
      return `${target} did not accept the connection in time.`;
    case 'unreachable':
      return `No connection to ${target} could be made.`;
  }
}
