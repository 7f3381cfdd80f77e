import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Authority, type CertificateKind, createAuthority, createCertificate } from './certificates.ts';
import { noteOpen } from './open-resources.ts';
import { waitUntil } from './wait-until.ts';

/** One request that came in. */
export interface Hit {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Names and values in turn, as they were spelt and ordered. */
  rawHeaders: string[];
  /** The bytes as they came. */
  body: Buffer;
  /** `Date.now()` when all of it was there. */
  at: number;
}

/** What the receiver does with a request. */
export type Answer =
  /** After `delayMs`, or once `until` has resolved. */
  | {
      status: number;
      headers?: Record<string, string>;
      body?: string | Buffer;
      delayMs?: number;
      until?: Promise<unknown>;
    }
  /** Never answers. */
  | 'hang'
  /** Ends the connection with a TCP reset. */
  | 'reset'
  /** Sends the head, then a byte of the body every `everyMs`, without an end. */
  | { dripEveryMs: number };

export interface HttpsReceiver {
  /** `https://127.0.0.1:<port>` */
  url: string;
  port: number;
  authority: Authority;
  /** Every request so far, in the order in which they were complete. */
  hits: Hit[];
  /** Says how all requests from now on are answered; 200 until then. */
  answer(how: Answer | ((hit: Hit) => Answer)): void;
  /** Says how the next requests are answered, one each; after these it goes on as before. */
  answerNext(...answers: Answer[]): void;
  /** Waits until `count` requests (which `matches`) have come, and returns them. */
  waitForHits(count: number, options?: { timeoutMs?: number; matches?: (hit: Hit) => boolean }): Promise<Hit[]>;
  close(): Promise<void>;
}

let ownAuthority: Promise<Authority> | undefined;

/** An HTTPS server on 127.0.0.1 that records what it gets; by default all receivers of a file share one authority. */
export async function openHttpsReceiver(
  options: { authority?: Authority; certificate?: CertificateKind; names?: readonly string[] } = {},
): Promise<HttpsReceiver> {
  ownAuthority ??= createAuthority();
  const authority = options.authority ?? (await ownAuthority);
  const hits: Hit[] = [];
  const next: Answer[] = [];
  let usual: Answer | ((hit: Hit) => Answer) = { status: 200 };

  const tls = await createCertificate(authority, options.certificate ?? 'trusted', options.names ?? []);
  const server = createServer(tls, async (request, response) => {
    const hit = await record(request).catch(() => null);
    // A sender that broke off in the middle has not delivered anything.
    if (!hit) return;
    hits.push(hit);
    const answer = next.shift() ?? (typeof usual === 'function' ? usual(hit) : usual);
    if (answer === 'reset') {
      // Only the connection below the TLS one can be ended without a goodbye.
      for (const socket of sockets) if (socket.remotePort === request.socket.remotePort) socket.resetAndDestroy();
    } else await reply(response, answer);
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  // A handshake that the client breaks off, because it does not trust the certificate, is what a test wants to see.
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const close = async () => {
    closed();
    const ended = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await ended;
  };
  const closed = noteOpen(`HTTPS receiver on port ${port}`, close);
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    authority,
    hits,
    answer: (how) => {
      usual = how;
    },
    answerNext: (...answers) => void next.push(...answers),
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

async function reply(response: ServerResponse, answer: Exclude<Answer, 'reset'>): Promise<void> {
  if (answer === 'hang') return;
  if ('dripEveryMs' in answer) {
    response.writeHead(200);
    while (!response.destroyed) {
      response.write('.');
      await sleep(answer.dripEveryMs);
    }
    return;
  }
  if (answer.delayMs) await sleep(answer.delayMs);
  await answer.until;
  response.writeHead(answer.status, answer.headers).end(answer.body);
}
