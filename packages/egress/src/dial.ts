import { connect, type Socket } from 'node:net';
import type { AddressRules } from './address-rules.ts';
import { type Address, type LookUpOptions, lookUp } from './look-up.ts';
import { EgressRefusal, type RefusalReason, reasonOfSocketError } from './refusal.ts';

export interface DialOptions extends LookUpOptions {
  /** The time from the end of the look-up to an established TCP connection, milliseconds; 10,000 by default. */
  connectTimeoutMs?: number;
}

export interface DialTarget {
  hostname: string;
  port: number;
}

const DEFAULT_CONNECT_TIMEOUT_MS = 10_000;
/** The head start of an address over the next, milliseconds: the "Connection Attempt Delay" of RFC 8305 §8. */
const HEAD_START_MS = 250;
/** A name may have thousands of addresses. All are checked, but only this many are tried. */
const MAX_ATTEMPTS = 6;

/**
 * Opens a TCP connection to a host. The platform dials for pages and webhooks only through this function. It looks the host up
 * and checks it once, and dials the checked IP addresses, so there is no second look-up.
 *
 * @throws {EgressRefusal} with every reason but `tls`
 */
export async function dial(rules: AddressRules, target: DialTarget, options: DialOptions = {}): Promise<Socket> {
  const { addresses } = await lookUp(rules, target.hostname, target.port, options);
  return connectFirst(alternateFamilies(addresses).slice(0, MAX_ATTEMPTS), target, options);
}

/** Tries the addresses one after the other, each with a head start, and keeps the first established connection. */
function connectFirst(addresses: readonly Address[], target: DialTarget, options: DialOptions): Promise<Socket> {
  const { connectTimeoutMs = DEFAULT_CONNECT_TIMEOUT_MS, signal } = options;
  return new Promise((resolve, reject) => {
    const attempts = new Set<Socket>();
    const remaining = [...addresses];
    let headStart: NodeJS.Timeout | undefined;
    let failure: { reason: RefusalReason; cause: unknown } | undefined;

    const settle = (winner: Socket | null, reason: RefusalReason = 'unreachable', cause?: unknown) => {
      remaining.length = 0;
      clearTimeout(headStart);
      clearTimeout(deadline);
      signal?.removeEventListener('abort', abort);
      for (const socket of attempts) if (socket !== winner) socket.destroy();
      if (winner) resolve(winner);
      else reject(new EgressRefusal(reason, target, { cause }));
    };
    const abort = () => settle(null, 'reset', signal?.reason);
    const deadline = setTimeout(() => settle(null, 'timeout'), connectTimeoutMs);

    const attemptNext = () => {
      clearTimeout(headStart);
      const candidate = remaining.shift();
      if (!candidate) return;
      const socket = connect({ host: candidate.address, port: target.port, noDelay: true });
      attempts.add(socket);
      socket.once('connect', () => {
        socket.removeAllListeners('error');
        settle(socket);
      });
      socket.on('error', (cause) => {
        attempts.delete(socket);
        const reason = reasonOfSocketError(cause);
        // A machine without IPv6 reports "no route" first; an error from a host is more informative.
        if (!failure || reason !== 'unreachable') failure = { reason, cause };
        if (remaining.length > 0) attemptNext();
        else if (attempts.size === 0) settle(null, failure.reason, failure.cause);
      });
      if (remaining.length > 0) headStart = setTimeout(attemptNext, HEAD_START_MS);
    };

    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    else attemptNext();
  });
}

/** Keeps the resolver's order but alternates IPv6 and IPv4, so that a broken family costs only one head start. */
function alternateFamilies(addresses: readonly Address[]): Address[] {
  const firstFamily = addresses.filter(({ family }) => family === addresses[0]?.family);
  const otherFamily = addresses.filter(({ family }) => family !== addresses[0]?.family);
  return firstFamily
    .flatMap((address, index) => [address, ...otherFamily.slice(index, index + 1)])
    .concat(otherFamily.slice(firstFamily.length));
}
