import { setMaxListeners } from 'node:events';
import { createSecureContext, type TLSSocket } from 'node:tls';
import { untilAborted } from '@capture/runtime/timeout';
import { Agent, request } from 'undici';
import type { AddressRules } from './address-rules.ts';
import { checkUrl, webhookSchemes } from './check-url.ts';
import { type DialTarget, dial } from './dial.ts';
import { type Resolve, systemResolve } from './look-up.ts';
import { EgressRefusal } from './refusal.ts';
import { type SendError, statusToSendError, toSendError } from './send-error.ts';
import { startTls } from './start-tls.ts';
import { TextExcerpt } from './text-excerpt.ts';

export type { SendError } from './send-error.ts';

export interface HttpsSenderOptions {
  resolve?: Resolve;
  lookUpTimeoutMs?: number;
  /** The PEM certificates to trust instead of Node's. Deployments use NODE_EXTRA_CA_CERTS, which adds to Node's certificates. */
  ca?: string;
}

export interface SendRequest {
  url: string;
  /** The account for which the name is looked up, because the accounts share the look-ups fairly; by default the host. */
  accountId?: string;
  /** The headers, sent unchanged; the caller sets `user-agent` and `content-type`. */
  headers: Record<string, string>;
  body: Buffer;
  /** The time for look-up, connection, TLS, request, and the response's headers and body, milliseconds. */
  timeoutMs: number;
}

export interface SendResult {
  /** The receiver's status, even if reading the response's body failed. */
  status: number | null;
  /** Null for a 2xx response in time. */
  error: SendError | null;
  /** Whether the resolver did not respond in time; the error is then `dns`. */
  lookUpTimedOut: boolean;
  durationMs: number;
  /** The first 4 KiB of the response body as text; null without a response. */
  responseExcerpt: string | null;
}

export interface HttpsSender {
  /** Sends one POST. Never throws, follows a redirect or retries. */
  send(request: SendRequest): Promise<SendResult>;
  /** Waits for requests in progress (each ends by its timeout), then ends all connections. */
  close(): Promise<void>;
}

/** The most concurrent look-ups of an account, so that endpoints with dead names do not delay its other endpoints. */
const MAX_LOOK_UPS_OF_ACCOUNT = 16;
/** Enough for the message of an error, but not for an error page: the log of attempts keeps the excerpt for 30 days. */
const MAX_EXCERPT_BYTES = 4 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
/** The timeout of the TCP connection and of the TLS handshake. It ends connections that a timed-out request leaves behind. */
const CONNECT_TIMEOUT_MS = 10_000;
/**
 * How long an idle connection is kept, unless the receiver asks for less. Node.js and Apache receivers close idle connections
 * after 5 s, and a POST that is sent at that moment is lost.
 */
const KEEP_ALIVE_MS = 2_000;

/** Creates a sender that connects only over verified HTTPS and only to addresses that the rules allow. */
export function createHttpsSender(
  rules: AddressRules,
  { resolve = systemResolve, lookUpTimeoutMs, ca }: HttpsSenderOptions = {},
): HttpsSender {
  const secureContext = createSecureContext(ca === undefined ? {} : { ca });
  const closing = new AbortController();
  // Every pending connection adds a listener, and Node.js warns of a leak from ten listeners on.
  setMaxListeners(0, closing.signal);
  const inProgress = new Set<Promise<SendResult>>();

  /** The account whose request undici is dispatching. */
  let dispatchingFor: string | undefined;

  async function connect(target: DialTarget): Promise<TLSSocket> {
    const { signal } = closing;
    const shared = { owner: dispatchingFor ?? target.hostname, most: MAX_LOOK_UPS_OF_ACCOUNT };
    const socket = await dial(rules, target, {
      resolve: (hostname, asker) => resolve(hostname, { ...asker, ...shared }),
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      signal,
      ...(lookUpTimeoutMs === undefined ? {} : { lookUpTimeoutMs }),
    });
    return startTls(socket, target, { secureContext, timeoutMs: CONNECT_TIMEOUT_MS, signal });
  }
  const agent = new Agent({
    connect({ hostname, port }, done) {
      connect({ hostname, port: Number(port) || 443 }).then(
        (socket) => done(null, socket),
        (refusal) => done(refusal, null),
      );
    },
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The one deadline of `send` replaces undici's limits for each phase.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  /** undici connects during this call, except when a connection breaks while requests wait: `connect` then uses the host. */
  function dispatch(accountId: string | undefined, ...parts: Parameters<typeof request>): ReturnType<typeof request> {
    dispatchingFor = accountId;
    try {
      return request(...parts);
    } finally {
      dispatchingFor = undefined;
    }
  }

  async function attempt({ url, accountId, headers, body, timeoutMs }: SendRequest): Promise<SendResult> {
    const startedAt = performance.now();
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeoutMs);
    const excerpt = new TextExcerpt(MAX_EXCERPT_BYTES);
    let status: number | null = null;
    let error: SendError | null;
    let lookUpTimedOut = false;
    try {
      if (checkUrl(rules, url, { schemes: webhookSchemes })) error = 'blocked';
      else {
        const { signal } = deadline;
        const pending = dispatch(accountId, url, { dispatcher: agent, method: 'POST', headers, body, signal });
        // undici checks the signal only once it has a connection.
        const response = await untilAborted(signal, pending);
        status = response.statusCode;
        await excerpt.read(response.body);
        error = statusToSendError(status);
      }
    } catch (cause) {
      error = deadline.signal.aborted ? 'timeout' : toSendError(cause);
      lookUpTimedOut = error === 'dns' && cause instanceof EgressRefusal && cause.lookUpTimedOut;
    } finally {
      clearTimeout(timer);
    }
    const durationMs = Math.round(performance.now() - startedAt);
    return { status, error, lookUpTimedOut, durationMs, responseExcerpt: status === null ? null : excerpt.text };
  }

  return {
    send(request) {
      const attempting = attempt(request);
      inProgress.add(attempting);
      return attempting.finally(() => inProgress.delete(attempting));
    },
    async close() {
      await Promise.all(inProgress);
      // undici's `close` would wait for connections that are no longer needed.
      closing.abort();
      await agent.destroy();
    },
  };
}
