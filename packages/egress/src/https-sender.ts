import { setMaxListeners } from 'node:events';
import { createSecureContext, type TLSSocket } from 'node:tls';
import { untilAborted } from '@capture/runtime/timeout';
import { Agent, request } from 'undici';
import type { AddressRules } from './address-rules.ts';
import { checkUrl, webhookSchemes } from './check-url.ts';
import { type DialTarget, dial } from './dial.ts';
import { type Resolve, systemResolve } from './look-up.ts';
import { type SendError, sendErrorOf, sendErrorOfStatus } from './send-error.ts';
import { startTls } from './start-tls.ts';
import { TextExcerpt } from './text-excerpt.ts';

export type { SendError } from './send-error.ts';

export interface HttpsSenderOptions {
  resolve?: Resolve;
  /** PEM certificates to trust in place of Node's own; a deployment uses NODE_EXTRA_CA_CERTS, which adds to them */
  ca?: string;
}

export interface SendRequest {
  url: string;
  /** sent as they are; the caller brings `user-agent` and `content-type` */
  headers: Record<string, string>;
  body: Buffer;
  /** ms for all of it: look-up, connection, TLS, request, and the answer's headers and body */
  timeoutMs: number;
}

export interface SendResult {
  /** what the receiver answered, even where its body then failed */
  status: number | null;
  /** null: it answered 2xx, in time */
  error: SendError | null;
  durationMs: number;
  /** the first 16 KiB of the answer's body as text; null where there was no answer */
  responseExcerpt: string | null;
}

export interface HttpsSender {
  /** POSTs once. Never throws, never follows a redirect, never tries again. */
  send(request: SendRequest): Promise<SendResult>;
  /** Waits for what is under way (each ends by its own time limit), then ends all connections. */
  close(): Promise<void>;
}

const MAX_EXCERPT_BYTES = 16 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
/** For one TCP connection and again for its TLS: an end for those that a timed-out request leaves behind. */
const CONNECT_TIMEOUT_MS = 10_000;
/**
 * How long an idle connection is kept, unless the receiver says less. Well under the 5 s after which Node and Apache
 * receivers close theirs, since a POST that crosses with a close is lost.
 */
const KEEP_ALIVE_MS = 2_000;

/** A sender whose every connection is HTTPS, verified, and dialled to an address that the rules allow. */
export function createHttpsSender(
  rules: AddressRules,
  { resolve = systemResolve, ca }: HttpsSenderOptions = {},
): HttpsSender {
  const secureContext = createSecureContext(ca === undefined ? {} : { ca });
  const closing = new AbortController();
  // Every connection that is being made listens for the end; Node would take ten of them for a leak.
  setMaxListeners(0, closing.signal);
  const underWay = new Set<Promise<SendResult>>();

  async function connect(target: DialTarget): Promise<TLSSocket> {
    const { signal } = closing;
    const socket = await dial(rules, target, { resolve, connectTimeoutMs: CONNECT_TIMEOUT_MS, signal });
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
    // The one deadline of `send` stands in for undici's limits for each phase.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  async function attempt({ url, headers, body, timeoutMs }: SendRequest): Promise<SendResult> {
    const startedAt = performance.now();
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeoutMs);
    const excerpt = new TextExcerpt(MAX_EXCERPT_BYTES);
    let status: number | null = null;
    let error: SendError | null;
    try {
      if (checkUrl(rules, url, { schemes: webhookSchemes })) error = 'blocked';
      else {
        const { signal } = deadline;
        const answering = request(url, { dispatcher: agent, method: 'POST', headers, body, signal });
        // undici heeds the signal only once it has a connection.
        const answer = await untilAborted(signal, answering);
        status = answer.statusCode;
        await excerpt.read(answer.body);
        error = sendErrorOfStatus(status);
      }
    } catch (cause) {
      error = deadline.signal.aborted ? 'timeout' : sendErrorOf(cause);
    } finally {
      clearTimeout(timer);
    }
    const durationMs = Math.round(performance.now() - startedAt);
    return { status, error, durationMs, responseExcerpt: status === null ? null : excerpt.text };
  }

  return {
    send(request) {
      const attempting = attempt(request);
      underWay.add(attempting);
      return attempting.finally(() => underWay.delete(attempting));
    },
    async close() {
      await Promise.all(underWay);
      // undici's own `close` would wait for connections that nobody wants any more.
      closing.abort();
      await agent.destroy();
    },
  };
}
