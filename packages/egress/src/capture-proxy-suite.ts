import { once } from 'node:events';
import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import tls from 'node:tls';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type AddressRules, parseAddressRules } from './address-rules.ts';
import type { CaptureProxy, CaptureProxyOptions } from './capture-proxy.ts';
import type { Resolve } from './look-up.ts';
import {
  closedPort,
  familyOf,
  hangingPort,
  listenOn,
  serveOnOtherLoopback,
  serveText,
} from './servers.test-support.ts';

interface Sent {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string | string[];
  agent?: http.Agent;
}

/** A plain request by way of the proxy; rejects where the proxy cuts the connection. */
async function forward(proxy: CaptureProxy, url: string, { method = 'GET', headers = {}, body, agent }: Sent = {}) {
  const { port } = new URL(proxy.url);
  const request = http.request({ host: '127.0.0.1', port, path: url, method, headers, agent: agent ?? false });
  for (const part of [body ?? []].flat()) request.write(part);
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

/** A tunnel by way of the proxy, and the status it was answered with. */
async function tunnel(proxy: CaptureProxy, authority: string) {
  const { port } = new URL(proxy.url);
  const request = http.request({ host: '127.0.0.1', port, method: 'CONNECT', path: authority }).end();
  const [response, socket] = (await once(request, 'connect')) as [IncomingMessage, net.Socket];
  socket.on('error', () => {});
  return { status: response.statusCode, socket };
}

/** Waits for the end of a connection; true if it ended with an error. */
function closeOf(socket: net.Socket): Promise<boolean> {
  return new Promise((resolve) => socket.resume().once('close', resolve));
}

const verdictOf = async (proxy: CaptureProxy, url: string) => (await proxy.record()).verdict(url);
const countsOf = async (proxy: CaptureProxy) => (await proxy.record()).counts;

const cut = { code: 'ECONNRESET' };

/** What every capture proxy must do, wherever it runs. Called once by each implementation's test file. */
export function testCaptureProxy(
  name: string,
  open: (rules: AddressRules, options?: CaptureProxyOptions) => Promise<CaptureProxy>,
  { rebindings = 200 }: { rebindings?: number } = {},
): void {
  describe(`capture proxy ${name}:`, () => {
    const opened: { close(): Promise<void> }[] = [];
    afterEach(async () => {
      for (const resource of opened.splice(0).reverse()) await resource.close();
    });
    function closing<T extends { close(): Promise<void> }>(resource: T): T {
      opened.push(resource);
      return resource;
    }
    async function openProxy(allow: string, options?: CaptureProxyOptions): Promise<CaptureProxy> {
      return closing(await open(parseAddressRules({ allow }), options));
    }

    describe('a target on loopback, nothing allowed', () => {
      it.each([
        '127.0.0.1',
        '127.1',
        '2130706433',
        '0x7f000001',
        '0x7f.1',
        '0177.0.0.1',
        '017700000001',
        '%31%32%37.0.0.1',
        '%E2%91%A0%E2%91%A1%E2%91%A6.0.0.1',
        '0',
        '0.0.0.0',
        '[::ffff:127.0.0.1]',
        '[::ffff:7f00:1]',
        '[::1]',
        '[::]',
        'localhost',
        'LOCALHOST.',
        'a.localhost',
      ])('%s gets no connection, forwarded or tunnelled, and the verdict is blocked', async (host) => {
        const victim = closing(await serveText('SECRET'));
        const proxy = await openProxy('');
        const target = `${host}:${victim.port}`;
        await expect(forward(proxy, `http://${target}/`)).rejects.toMatchObject(cut);
        expect((await tunnel(proxy, target)).status).toBe(403);
        for (const scheme of ['http', 'https', 'ws', 'wss']) {
          expect(await verdictOf(proxy, `${scheme}://${target}/any`)).toMatchObject({
            reason: 'blocked',
            port: victim.port,
          });
        }
        expect(await countsOf(proxy)).toEqual({ requests: 2, blocked: 2, bytesIn: 0, bytesOut: 0 });
        expect(await victim.hits()).toBe(0);
      });

      it.each(['a@127.0.0.1', '127.0.0.1:80@example.com', '127.0.0.1/', 'a b', '[::1%25lo]'])(
        'a tunnel to %j is a bad request',
        async (host) => {
          const victim = closing(await serveText('SECRET'));
          const proxy = await openProxy('127.0.0.1,::1');
          expect((await tunnel(proxy, encodeURI(`${host}:${victim.port}`).replaceAll('%25', '%'))).status).toBe(400);
          expect(await victim.hits()).toBe(0);
        },
      );

      it('gets none by a name, whichever of its addresses is closed', async () => {
        const victim = closing(await serveText('SECRET'));
        const other = closing(await serveOnOtherLoopback('decoy', victim.port));
        const rules = `${other.host.includes(':') ? `[${other.host}]` : other.host}:${victim.port}`;
        const resolve: Resolve = async () => [familyOf(other.host), familyOf(victim.host)];
        const proxy = await openProxy(rules, { resolve });
        const target = `mixed.example:${victim.port}`;
        await expect(forward(proxy, `http://${target}/`)).rejects.toMatchObject(cut);
        expect((await tunnel(proxy, target)).status).toBe(403);
        expect(await verdictOf(proxy, `http://${target}/`)).toEqual({
          reason: 'blocked',
          host: 'mixed.example',
          port: victim.port,
          message: `${target} may not be reached from here.`,
        });
        expect([await victim.hits(), await other.hits()]).toEqual([0, 0]);
      });

      it('gets none by a name that rebinds, over captures of their own', async () => {
        const victim = closing(await serveText('SECRET'));
        const decoy = closing(await serveOnOtherLoopback('decoy', victim.port));
        const rules = parseAddressRules({
          allow: `${decoy.host.includes(':') ? `[${decoy.host}]` : decoy.host}:${victim.port}`,
        });
        const url = `http://rebind.example:${victim.port}/`;
        for (let round = 0; round < rebindings; round++) {
          let asked = 0;
          const resolve: Resolve = async () => [familyOf(asked++ === 0 ? decoy.host : victim.host)];
          const proxy = await open(rules, { resolve });
          const answers = await Promise.all([forward(proxy, url), forward(proxy, url)]);
          answers.push(await forward(proxy, url));
          expect(answers.map(({ body }) => body)).toEqual(['decoy', 'decoy', 'decoy']);
          expect(asked).toBe(1);
          await proxy.close();
        }
        expect(await victim.hits()).toBe(0);
      });
    });

    describe('an allowed target', () => {
      it('is reached on exactly its host and port', async () => {
        const server = closing(await serveText('page'));
        const victim = closing(await serveText('SECRET'));
        const proxy = await openProxy(`127.0.0.1/32:${server.port}`);
        await expect(forward(proxy, `http://127.0.0.1:${server.port}/`)).resolves.toMatchObject({
          status: 200,
          body: 'page',
        });
        await expect(forward(proxy, `http://localhost:${server.port}/`)).resolves.toMatchObject({ status: 200 });
        await expect(forward(proxy, `http://127.0.0.1:${victim.port}/`)).rejects.toMatchObject(cut);
        await expect(forward(proxy, `http://127.0.0.2:${server.port}/`)).rejects.toMatchObject(cut);
        expect(await verdictOf(proxy, `http://127.0.0.1:${server.port}/`)).toBeNull();
        expect(await verdictOf(proxy, `http://127.0.0.1:${victim.port}/`)).toMatchObject({ reason: 'blocked' });
        expect(await verdictOf(proxy, 'http://never-asked.example/')).toBeNull();
        expect(await countsOf(proxy)).toMatchObject({ requests: 4, blocked: 2 });
        expect(await victim.hits()).toBe(0);
      });

      it('gets the request whole, and the client the answer, without what concerns one connection only', async () => {
        const seen: { headers: IncomingMessage['headers']; body: string; url: string | undefined }[] = [];
        const server = closing(
          await listenOn(
            http.createServer(async (request, response) => {
              seen.push({ headers: request.headers, body: await text(request), url: request.url });
              response.writeHead(203, { 'X-Page': 'yes', Connection: 'x-private', 'X-Private': '1', Trailer: 'x' });
              response.end('answer');
            }),
          ),
        );
        const proxy = await openProxy('127.0.0.1');
        const answer = await forward(proxy, `http://127.0.0.1:${server.port}/path?q=1`, {
          method: 'POST',
          body: ['one ', 'two'],
          headers: {
            host: 'forged.example',
            'x-sent': 'yes',
            'proxy-authorization': 'Basic eA==',
            'proxy-connection': 'x',
          },
        });
        expect(seen).toEqual([
          {
            url: '/path?q=1',
            body: 'one two',
            headers: {
              host: `127.0.0.1:${server.port}`,
              'x-sent': 'yes',
              'transfer-encoding': 'chunked',
              connection: 'close',
            },
          },
        ]);
        expect(answer).toMatchObject({ status: 203, body: 'answer', headers: { 'x-page': 'yes' } });
        expect(Object.keys(answer.headers)).not.toEqual(expect.arrayContaining(['x-private']));
        expect(Object.keys(answer.headers)).not.toEqual(expect.arrayContaining(['trailer']));
      });

      it.each([204, 304])('may answer %i without a body', async (status) => {
        const server = closing(
          await listenOn(http.createServer((_request, response) => response.writeHead(status).end())),
        );
        const proxy = await openProxy('127.0.0.1');
        await expect(forward(proxy, `http://127.0.0.1:${server.port}/`)).resolves.toMatchObject({ status, body: '' });
      });

      it('answers HEAD with the length alone', async () => {
        const server = closing(
          await listenOn(
            http.createServer((_request, response) => response.writeHead(200, { 'content-length': 4 }).end()),
          ),
        );
        const proxy = await openProxy('127.0.0.1');
        const answer = await forward(proxy, `http://127.0.0.1:${server.port}/`, { method: 'HEAD' });
        expect(answer).toMatchObject({ status: 200, body: '', headers: { 'content-length': '4' } });
      });

      it('is asked several things over one connection', async () => {
        const server = closing(await serveText('page'));
        const proxy = await openProxy('127.0.0.1');
        const agent = new http.Agent({ keepAlive: true });
        for (let request = 0; request < 5; request++)
          await forward(proxy, `http://127.0.0.1:${server.port}/`, { agent });
        agent.destroy();
        expect(await server.hits()).toBe(1);
      });

      it('is asked again where it had just closed the kept connection', async () => {
        const paths: (string | undefined)[] = [];
        const server = closing(
          await listenOn(
            http.createServer((request, response) => {
              paths.push(request.url);
              if (paths.length === 2) request.socket.destroy();
              else response.end('page');
            }),
          ),
        );
        const proxy = await openProxy('127.0.0.1');
        const url = `http://127.0.0.1:${server.port}`;
        await forward(proxy, `${url}/first`);
        await expect(forward(proxy, `${url}/second`)).resolves.toMatchObject({ status: 200, body: 'page' });
        expect(paths).toEqual(['/first', '/second', '/second']);
        expect(await verdictOf(proxy, url)).toBeNull();
      });

      it('is tunnelled to, both ways, and every byte is counted', async () => {
        const size = 1_000_000;
        const echo = net.createServer({ allowHalfOpen: true }, (socket) => {
          const chunks: Buffer[] = [];
          socket.on('data', (chunk) => chunks.push(chunk));
          socket.once('end', () => socket.end(Buffer.concat(chunks)));
        });
        const server = closing(await listenOn(echo));
        const proxy = await openProxy(`127.0.0.1:${server.port}`);
        const { status, socket } = await tunnel(proxy, `127.0.0.1:${server.port}`);
        expect(status).toBe(200);
        socket.end('x'.repeat(size));
        expect((await text(socket)).length).toBe(size);
        expect(await countsOf(proxy)).toEqual({ requests: 1, blocked: 0, bytesIn: size, bytesOut: size });
      });

      it('loses the connection when the client breaks off', async () => {
        const server = net.createServer();
        const { port } = closing(await listenOn(server));
        const proxy = await openProxy(`127.0.0.1:${port}`);
        const connected = once(server, 'connection') as Promise<[net.Socket]>;
        const { socket } = await tunnel(proxy, `127.0.0.1:${port}`);
        const [atTarget] = await connected;
        socket.resetAndDestroy();
        await closeOf(atTarget);
      });

      it('may be a WebSocket', async () => {
        const server = http.createServer();
        server.on('upgrade', (_request, socket) => {
          socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
          socket.pipe(socket);
        });
        const { port } = closing(await listenOn(server));
        const proxy = await openProxy(`127.0.0.1:${port}`);
        const { socket } = await tunnel(proxy, `127.0.0.1:${port}`);
        socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
        expect(String((await once(socket, 'data'))[0])).toContain('101 Switching Protocols');
        socket.write('frame');
        expect(String((await once(socket, 'data'))[0])).toBe('frame');
        expect(await verdictOf(proxy, `ws://127.0.0.1:${port}/`)).toBeNull();
        socket.destroy();
      });
    });

    describe('a target that cannot be reached', () => {
      const unknown: Resolve = async () => {
        throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
      };

      it('is a name that nobody knows', async () => {
        const proxy = await openProxy('', { resolve: unknown });
        await expect(forward(proxy, 'http://gone.example/')).rejects.toMatchObject(cut);
        expect((await tunnel(proxy, 'gone.example:443')).status).toBe(502);
        expect(await verdictOf(proxy, 'http://gone.example/')).toEqual({
          reason: 'dns',
          host: 'gone.example',
          port: 80,
          message: 'The name gone.example could not be resolved.',
        });
        expect(await verdictOf(proxy, 'https://GONE.example/path')).toMatchObject({ reason: 'dns', port: 443 });
        expect(await countsOf(proxy)).toMatchObject({ requests: 2, blocked: 0 });
      });

      it('is a port where nobody listens', async () => {
        const port = await closedPort();
        const proxy = await openProxy('127.0.0.1');
        await expect(forward(proxy, `http://127.0.0.1:${port}/`)).rejects.toMatchObject(cut);
        expect(await verdictOf(proxy, `http://127.0.0.1:${port}/`)).toMatchObject({ reason: 'refused' });
        expect((await tunnel(proxy, `localhost:${port}`)).status).toBe(502);
        expect(await verdictOf(proxy, `https://localhost:${port}/`)).toMatchObject({ reason: 'refused' });
      });

      it('is a port where nobody accepts', async () => {
        const hanging = closing(await hangingPort());
        const proxy = await openProxy('127.0.0.1', { connectTimeoutMs: 50 });
        expect((await tunnel(proxy, `127.0.0.1:${hanging.port}`)).status).toBe(502);
        expect(await verdictOf(proxy, `https://127.0.0.1:${hanging.port}/`)).toMatchObject({ reason: 'timeout' });
      });

      it.each([
        ['resets', (socket: net.Socket) => socket.resetAndDestroy()],
        ['ends', (socket: net.Socket) => socket.destroy()],
      ])('is one that %s the connection when it is spoken to', async (how, hangUp) => {
        const server = closing(await listenOn(net.createServer((socket) => socket.once('data', () => hangUp(socket)))));
        const target = `127.0.0.1:${server.port}`;

        const forwarding = await openProxy('127.0.0.1');
        await expect(forward(forwarding, `http://${target}/`)).rejects.toMatchObject(cut);
        expect(await verdictOf(forwarding, `http://${target}/`)).toMatchObject({ reason: 'reset' });

        const tunnelling = await openProxy('127.0.0.1');
        const { socket } = await tunnel(tunnelling, target);
        const [failed] = await Promise.all([closeOf(socket), socket.write('hello')]);
        // A reset comes through as a reset.
        expect(failed).toBe(how === 'resets');
        expect(await verdictOf(tunnelling, `https://${target}/`)).toMatchObject({ reason: 'reset' });
      });

      it('is one that does not speak HTTP', async () => {
        const server = closing(await listenOn(net.createServer((socket) => socket.end('220 mail.example ESMTP\r\n'))));
        const proxy = await openProxy('127.0.0.1');
        await expect(forward(proxy, `http://127.0.0.1:${server.port}/`)).rejects.toMatchObject(cut);
        expect(await verdictOf(proxy, `http://127.0.0.1:${server.port}/`)).toMatchObject({ reason: 'reset' });
      });

      it.each([
        ['speaks plain HTTP', () => http.createServer()],
        ['answers TLS with an alert', () => tls.createServer({ minVersion: 'TLSv1.3' })],
      ])('is one that %s where TLS was asked for', async (_what, createServer) => {
        const { port } = closing(await listenOn(createServer()));
        const proxy = await openProxy('127.0.0.1');
        const { socket } = await tunnel(proxy, `127.0.0.1:${port}`);
        const secured = tls.connect({ socket, host: 'x', maxVersion: 'TLSv1.2', rejectUnauthorized: false });
        await once(secured, 'error');
        expect(await verdictOf(proxy, `https://127.0.0.1:${port}/`)).toMatchObject({ reason: 'tls' });
      });

      it('says nothing against a target whose tunnel the client left unused', async () => {
        const server = closing(await listenOn(net.createServer()));
        const proxy = await openProxy('127.0.0.1');
        const { socket } = await tunnel(proxy, `127.0.0.1:${server.port}`);
        socket.end();
        expect(await server.hits()).toBe(1);
        expect(await verdictOf(proxy, `https://127.0.0.1:${server.port}/`)).toBeNull();

        const ending = closing(await listenOn(net.createServer((socket) => socket.end())));
        const unspoken = await tunnel(proxy, `127.0.0.1:${ending.port}`);
        await closeOf(unspoken.socket);
        expect(await verdictOf(proxy, `https://127.0.0.1:${ending.port}/`)).toBeNull();
      });

      it('says nothing against a target that has answered before', async () => {
        let asked = 0;
        const server = closing(
          await listenOn(
            http.createServer((request, response) => {
              asked += 1;
              if (asked === 1) response.writeHead(200, { connection: 'close' }).end('page');
              else request.socket.destroy();
            }),
          ),
        );
        const proxy = await openProxy('127.0.0.1');
        const url = `http://127.0.0.1:${server.port}/`;
        await forward(proxy, url);
        await expect(forward(proxy, url)).rejects.toMatchObject(cut);
        expect(await verdictOf(proxy, url)).toBeNull();
      });

      it('is not taken for whole where it breaks off', async () => {
        const server = closing(
          await listenOn(
            http.createServer((_request, response) => {
              response.writeHead(200, { 'content-length': 100 });
              response.write('half', () => response.destroy());
            }),
          ),
        );
        const proxy = await openProxy('127.0.0.1');
        await expect(forward(proxy, `http://127.0.0.1:${server.port}/`)).rejects.toMatchObject(cut);
      });

      it('is not taken for a page where its status is none', async () => {
        const server = closing(await listenOn(net.createServer((socket) => socket.end('HTTP/1.1 099 X\r\n\r\npage'))));
        const proxy = await openProxy('127.0.0.1');
        await expect(forward(proxy, `http://127.0.0.1:${server.port}/`)).rejects.toMatchObject(cut);
      });

      it('leaves a record that does not grow without end', async () => {
        const proxy = await openProxy('', { resolve: unknown });
        const urls = Array.from({ length: 600 }, (_, index) => `http://gone-${index}.example/`);
        for (const url of urls) await expect(forward(proxy, url)).rejects.toMatchObject(cut);
        const record = await proxy.record();
        expect(urls.filter((url) => record.verdict(url)).length).toBe(512);
        expect(await verdictOf(proxy, 'http://gone-599.example/')).toMatchObject({ reason: 'dns' });
      });
    });

    describe('the listener', () => {
      it('is on loopback and is no web server itself', async () => {
        const proxy = await openProxy('127.0.0.1');
        expect(proxy.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
        const response = await fetch(proxy.url);
        expect([response.status, await response.text()]).toEqual([400, '']);
        await expect(forward(proxy, 'ftp://127.0.0.1/')).resolves.toMatchObject({ status: 400 });
        expect((await countsOf(proxy)).requests).toBe(0);
      });

      it('survives a client that speaks nonsense or leaves at any moment', async () => {
        const server = closing(await listenOn(http.createServer()));
        const hanging = closing(await hangingPort());
        const proxy = await openProxy('127.0.0.1');
        const { port } = new URL(proxy.url);
        for (const words of [
          '\u0016\u0003\u0001',
          'nonsense\r\n\r\n',
          `GET http://127.0.0.1:${server.port}/ HTTP/1.1\r\nHost: x\r\n\r\n`,
          `POST http://127.0.0.1:${server.port}/ HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf`,
          `CONNECT 127.0.0.1:${hanging.port} HTTP/1.1\r\nHost: x\r\n\r\n`,
          `CONNECT 127.0.0.1:${server.port} HTTP/1.1\r\nHost: x\r\n\r\nwords`,
        ]) {
          const client = net.connect({ host: '127.0.0.1', port: Number(port) }).on('error', () => {});
          await new Promise((resolve) => client.write(words, resolve));
          client.resetAndDestroy();
        }
        await expect(fetch(proxy.url)).resolves.toMatchObject({ status: 400 });
        expect(await verdictOf(proxy, `http://127.0.0.1:${server.port}/`)).toBeNull();
      });

      it('closes at once, with all that is under way, and its figures stay', async () => {
        const server = closing(await listenOn(http.createServer(() => {})));
        const hanging = closing(await hangingPort());
        const proxy = await openProxy('127.0.0.1');
        const { socket } = await tunnel(proxy, `127.0.0.1:${server.port}`);
        const unanswered = forward(proxy, `http://127.0.0.1:${server.port}/`);
        const dialling = tunnel(proxy, `127.0.0.1:${hanging.port}`);
        unanswered.catch(() => {});
        dialling.catch(() => {});
        while ((await countsOf(proxy)).requests < 3) await new Promise(setImmediate);

        await Promise.all([proxy.close(), proxy.close()]);
        await expect(unanswered).rejects.toMatchObject(cut);
        await expect(dialling).rejects.toMatchObject(cut);
        await new Promise((resolve) => (socket.destroyed ? resolve(null) : socket.resume().once('close', resolve)));
        await expect(fetch(proxy.url)).rejects.toThrow();
        expect(await countsOf(proxy)).toMatchObject({ requests: 3, blocked: 0 });
        expect(await verdictOf(proxy, `http://127.0.0.1:${server.port}/`)).toBeNull();
      });
    });

    describe('a budget', () => {
      it('of requests admits so many', async () => {
        const server = closing(await serveText('page'));
        const proxy = await openProxy('127.0.0.1', { budget: { requests: 2 } });
        const url = `http://127.0.0.1:${server.port}/`;
        await forward(proxy, url);
        await forward(proxy, url);
        expect((await proxy.record()).exhausted).toBeNull();
        await expect(forward(proxy, url)).rejects.toMatchObject(cut);
        expect((await proxy.record()).exhausted).toBe('requests');
        expect((await tunnel(proxy, `127.0.0.1:${server.port}`)).status).toBe(403);
        expect((await countsOf(proxy)).requests).toBe(2);
      });

      it.each(['forwarded', 'tunnelled'])('of bytes ends an answer without end, %s', async (way) => {
        const server = closing(
          await listenOn(
            http.createServer((_request, response) => {
              const pour = () => {
                while (!response.destroyed && response.write(Buffer.alloc(65_536)));
              };
              response.on('drain', pour);
              pour();
            }),
          ),
        );
        const proxy = await openProxy('127.0.0.1', { budget: { bytes: 1_000_000 } });
        if (way === 'forwarded') {
          await expect(forward(proxy, `http://127.0.0.1:${server.port}/`)).rejects.toMatchObject(cut);
        } else {
          const { socket } = await tunnel(proxy, `127.0.0.1:${server.port}`);
          socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
          await closeOf(socket);
        }
        expect((await proxy.record()).exhausted).toBe('bytes');
        expect((await countsOf(proxy)).bytesIn).toBeLessThan(2_000_000);
      });
    });
  });
}
