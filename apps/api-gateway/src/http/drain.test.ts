import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createLogger } from '@capture/runtime/service/log';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, describe, expect, it } from '@jest/globals';
import { closeHttpServer, createHttpServer } from './http-server.ts';

const log = createLogger('test', { level: 'silent' });

/** An hour is longer than any test: a connection that stays open fails the test. */
const never = 3_600_000;

const agent = new Agent({ keepAlive: true });
let closeAll = () => {};
afterEach(() => {
  closeAll();
  agent.destroy();
});

async function start(app: RequestListener) {
  const server = createHttpServer(app, log);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeAll = () => server.closeAllConnections();
  const { port } = server.address() as AddressInfo;
  const send = async () => {
    const [response] = (await once(get({ port, host: '127.0.0.1', agent }), 'response')) as [IncomingMessage];
    return { connection: response.headers.connection, body: await text(response) };
  };
  return { server, port, send };
}

describe('a server that is asked to stop', () => {
  it('finishes the request in progress, says that the connection ends, and ends it', async () => {
    let inProgress: ServerResponse | undefined;
    const { server, send } = await start((_req, res) => {
      inProgress = res;
    });
    const response = send();
    await waitUntil(() => inProgress, { what: 'the request' });
    const closed = closeHttpServer(server, never);
    inProgress?.end('done');
    expect(await response).toEqual({ connection: 'close', body: 'done' });
    await closed;
  });

  it('ends the connection of a stream whose headers promised to keep the connection', async () => {
    let stream: ServerResponse | undefined;
    const { server, send } = await start((_req, res) => {
      res.write('begun, ');
      stream = res;
    });
    const response = send();
    await waitUntil(() => stream?.headersSent, { what: 'the stream' });
    const closed = closeHttpServer(server, never);
    stream?.end('done');
    expect(await response).toEqual({ connection: 'keep-alive', body: 'begun, done' });
    await closed;
  });

  it('serves a request that was arriving, and ends its connection', async () => {
    const { server, port } = await start((_req, res) => void res.end('done'));
    const socket = connect(port, '127.0.0.1');
    const connected = once(server, 'connection');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n');
    const [accepted] = await connected;
    await waitUntil(() => accepted.bytesRead > 0, { what: 'the first bytes' });
    const closed = closeHttpServer(server, never);
    socket.write('\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200[\s\S]*connection: close[\s\S]*done$/i);
    await closed;
  });

  it('does not wait for a connection on which no request was ever sent', async () => {
    const { server, port } = await start((_req, res) => void res.end());
    const connected = once(server, 'connection');
    const socket = connect(port, '127.0.0.1');
    await connected;
    const ended = once(socket, 'close');
    await closeHttpServer(server, never);
    await ended;
  });
});
