import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Misbehavior, redirectTarget } from './behavior.ts';

/** Interval between the bytes of a response that never ends, milliseconds. */
const dripIntervalMs = 1_000;

export interface MisbehavingRequest {
  response: ServerResponse;
  /** The TCP connection below TLS, because a TLS socket cannot be reset. */
  connection: Socket | undefined;
  /** Resolves when hanging requests get a response after all. */
  healed: Promise<unknown>;
  port: number;
}

/** Misbehaves until the sender disconnects. */
export const misbehave: Record<Misbehavior, (request: MisbehavingRequest) => unknown> = {
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
      await sleep(dripIntervalMs);
    }
  },
  async drip({ response }) {
    response.writeHead(200);
    while (!response.destroyed) {
      response.write('x');
      await sleep(dripIntervalMs);
    }
  },
  async endless({ response }) {
    response.writeHead(200);
    const chunk = Buffer.alloc(65_536, 'x');
    const chunks = function* () {
      for (;;) yield chunk;
    };
    // The pipeline fails once the sender has disconnected.
    await pipeline(Readable.from(chunks()), response).catch(() => undefined);
  },
};
