import { once } from 'node:events';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createLogger } from '@capture/runtime/service/log';
import { listen } from '@capture/testing/network/listen';
import { afterEach, expect, it } from '@jest/globals';
import type { Response } from 'express';
import { createHttpServer } from './http-server.ts';
import { sendStream } from './send-stream.ts';

const log = createLogger('test', { level: 'silent' });

const chunk = Buffer.alloc(64 * 1024);
let close: () => Promise<void>;

/** Serves a stream, endless by default, and requests it. Returns the response and a promise of how sending ends. */
async function request(
  reading: { bytes: number; everyMs: number },
  read: (this: Readable) => void = function () {
    setImmediate(() => this.push(chunk));
  },
) {
  const source = new Readable({ read });
  let sending: Promise<void> | undefined;
  const serve = (_: IncomingMessage, res: ServerResponse) => {
    sending = sendStream(source, res as Response);
  };
  const server = createHttpServer(serve, log, { reading });
  const { port, close: closeServer } = await listen(server, 'server', { host: '127.0.0.1', port: 0 });
  close = closeServer;
  const [response] = (await once(get({ port, agent: false }), 'response')) as [IncomingMessage];
  response.on('error', () => {});
  return { response, source, ended: () => sending };
}

afterEach(() => close());

it('ends the connection of a client that reads too little, and the stream', async () => {
  const { response, source, ended } = await request({ bytes: 1, everyMs: 500 });
  await ended();
  expect(source.destroyed).toBe(true);
  const closed = new Promise((resolve) => response.once('close', resolve));
  response.resume();
  await closed;
  expect(response.complete).toBe(false);
});

it('goes on while a client reads enough, until it disconnects', async () => {
  const { response, source, ended } = await request({ bytes: 1, everyMs: 500 });
  const readFor = Date.now() + 1_500;
  for await (const _ of response) if (Date.now() > readFor) break;
  await ended();
  expect(source.destroyed).toBe(true);
});

it('reports a source that fails', async () => {
  const { response, source, ended } = await request({ bytes: 1, everyMs: 60_000 });
  const failing = ended();
  source.destroy(Object.assign(new Error('the store is gone'), { code: 'ECONNRESET' }));
  response.resume();
  await expect(failing).rejects.toThrow('the store is gone');
});

it('waits for a source that is slow', async () => {
  const parts = ['a', 'b', null];
  const { response, ended } = await request({ bytes: 1_000_000, everyMs: 100 }, function () {
    setTimeout(() => this.push(parts.shift()), 400);
  });
  expect(await text(response)).toBe('ab');
  await ended();
});
