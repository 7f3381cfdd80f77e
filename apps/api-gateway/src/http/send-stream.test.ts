import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { listen } from '@capture/testing/network/listen';
import { afterEach, expect, it } from '@jest/globals';
import type { Response } from 'express';
import { sendStream } from './send-stream.ts';

const chunk = Buffer.alloc(64 * 1024);
let close: () => Promise<void>;

/** Serves a stream without end, and requests it. Returns the response and how sending it ends. */
async function request(terms: { bytes: number; everyMs: number }) {
  const source = new Readable({ read: () => void setImmediate(() => source.push(chunk)) });
  let sending: Promise<void> | undefined;
  const server = createServer((_, res) => {
    sending = sendStream(source, res as Response, terms);
  });
  const { port, close: closeServer } = await listen(server, 'server', { host: '127.0.0.1', port: 0 });
  close = closeServer;
  const [response] = (await once(get({ port, agent: false }), 'response')) as [IncomingMessage];
  response.on('error', () => {});
  return { response, source, ended: () => sending };
}

afterEach(() => close());

it('ends the connection of a client that reads too little, and what it reads', async () => {
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
  source.destroy(new Error('the store is gone'));
  response.resume();
  await expect(failing).rejects.toThrow('the store is gone');
});
