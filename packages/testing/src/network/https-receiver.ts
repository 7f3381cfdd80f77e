import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../wait-until.ts';
import { type Authority, type CertificateKind, createAuthority, createCertificate } from './certificates.ts';
import { listen } from './listen.ts';

export interface Hit {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Names and values alternate, spelled and ordered as sent. */
  rawHeaders: string[];
  /** The bytes as sent. */
  body: Buffer;
  /** `Date.now()` when the body was complete. */
  at: number;
}

/** The receiver's reply to a request. */
export type Reply =
  /** Responds after `delayMs`, or once `until` has resolved. */
  | {
      status: number;
      headers?: Record<string, string>;
      body?: string | Buffer;
      delayMs?: number;
      until?: Promise<unknown>;
    }
  /** Never responds. */
  | 'hang'
  /** Ends the connection with a TCP reset. */
  | 'reset'
  /** Sends the head, then a byte of the body every `dripEveryMs`, endlessly. */
  | { dripEveryMs: number };

export interface HttpsReceiver {
  /** `https://127.0.0.1:<port>` */
  url: string;
  port: number;
  authority: Authority;
  /** Every request so far, in the order of completion. */
  hits: Hit[];
  /** Sets the reply to all requests from now on; a 200 until then. */
  respondWith(reply: Reply | ((hit: Hit) => Reply)): void;
  /** Sets the replies to the next requests, one each. */
  respondNext(...replies: Reply[]): void;
  /** Waits until `count` requests (that match) have arrived, and returns them. */
  waitForHits(count: number, options?: { timeoutMs?: number; matches?: (hit: Hit) => boolean }): Promise<Hit[]>;
  close(): Promise<void>;
}

let ownAuthority: Promise<Authority> | undefined;

/** An HTTPS server on 127.0.0.1 that records its requests; by default all receivers of a test file share one authority. */
export async function openHttpsReceiver(
  options: { authority?: Authority; certificate?: CertificateKind; names?: readonly string[] } = {},
): Promise<HttpsReceiver> {
  ownAuthority ??= createAuthority();
  const authority = options.authority ?? (await ownAuthority);
  const hits: Hit[] = [];
  const next: Reply[] = [];
  let usual: Reply | ((hit: Hit) => Reply) = { status: 200 };

  const tls = await createCertificate(authority, options.certificate ?? 'trusted', options.names ?? []);
  const server = createServer(tls, async (request, response) => {
    const hit = await record(request).catch(() => null);
    // A sender that disconnected before the end has not delivered anything.
    if (!hit) return;
    hits.push(hit);
    const reply = next.shift() ?? (typeof usual === 'function' ? usual(hit) : usual);
    if (reply === 'reset') {
      // Only the TCP connection below TLS can be reset.
      for (const socket of sockets) if (socket.remotePort === request.socket.remotePort) socket.resetAndDestroy();
    } else await respond(response, reply);
  });
  // Tests provoke clients that reject the certificate during the handshake.
  server.on('tlsClientError', () => {});
  const { port, sockets, close } = await listen(server, 'HTTPS receiver');
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    authority,
    hits,
    respondWith: (reply) => {
      usual = reply;
    },
    respondNext: (...replies) => void next.push(...replies),
    async waitForHits(count, { timeoutMs, matches = () => true } = {}) {
      const wanted = () => hits.filter(matches);
      await waitUntil(() => wanted().length >= count, {
        what: `${count} requests at the receiver on port ${port}`,
        ...(timeoutMs !== undefined && { timeoutMs }),
      });
      return wanted();
    },
    close,
  };
}

async function record(request: IncomingMessage): Promise<Hit> {
  const body = await buffer(request);
  const { method = '', url = '', headers, rawHeaders } = request;
  return { method, path: url, headers, rawHeaders, body, at: Date.now() };
}

async function respond(response: ServerResponse, reply: Exclude<Reply, 'reset'>): Promise<void> {
  if (reply === 'hang') return;
  if ('dripEveryMs' in reply) {
    response.writeHead(200);
    while (!response.destroyed) {
      response.write('.');
      await sleep(reply.dripEveryMs);
    }
    return;
  }
  if (reply.delayMs) await sleep(reply.delayMs);
  await reply.until;
  response.writeHead(reply.status, reply.headers).end(reply.body);
}
