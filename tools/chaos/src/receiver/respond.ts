import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type OddKind, redirectTarget } from './behaviour.ts';

/** Between two bytes of an answer that never comes to its end, milliseconds. */
const dripEveryMs = 1_000;

/** What an odd answer needs to know of its request. */
export interface Request {
  response: ServerResponse;
  /** Below TLS: only this one can be reset. */
  connection: Socket | undefined;
  /** Resolves when those that hang are answered after all. */
  healed: Promise<unknown>;
  port: number;
}

/** Treats a request in an odd way, until the sender goes away. */
export const answerOddly: Record<OddKind, (request: Request) => unknown> = {
  async hang({ response, healed }) {
    await Promise.race([healed, once(response, 'close')]);
    if (!response.destroyed) response.end();
  },
  reset({ connection }) {
    connection?.resetAndDestroy();
  },
  redirect({ response, port }) {
    response.writeHead(302, { location: `https://127.0.0.1:${port}${redirectTarget}` }).end();
  },
  invalid({ response }) {
    response.socket?.end('this is no HTTP\r\n\r\n');
  },
  async 'slow-headers'({ response }) {
    const { socket } = response;
    socket?.write('HTTP/1.1 200 OK\r\nx-slow: ');
    while (socket && !socket.destroyed) {
      socket.write('x');
      await sleep(dripEveryMs);
    }
  },
  async drip({ response }) {
    response.writeHead(200);
    while (!response.destroyed) {
      response.write('x');
      await sleep(dripEveryMs);
    }
  },
  async endless({ response }) {
    response.writeHead(200);
    const chunk = Buffer.alloc(65_536, 'x');
    const chunks = function* () {
      for (;;) yield chunk;
    };
    // It ends when the sender has gone away, which is a fault to whoever writes.
    await pipeline(Readable.from(chunks()), response).catch(() => undefined);
  },
};
