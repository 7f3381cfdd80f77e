import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import tls from 'node:tls';
import { connectByProxy, getByProxy, ProxyRefusal } from '@capture/testing/network/connect-by-proxy';
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

/** Returns the error of a refused connection; empty if the connection was established. */
async function findRefusal(proxy: CaptureProxy, authority: string): Promise<string> {
  try {
    (await connectByProxy(proxy.url, authority)).destroy();
    return '';
  } catch (error) {
    return error instanceof ProxyRefusal ? error.reply || 'cut' : String(error);
  }
}

const ask = async (proxy: CaptureProxy, url: string) => text(await getByProxy(proxy.url, url));

const proxyPort = (proxy: CaptureProxy) => Number(new URL(proxy.url).port);

/** Waits for the end of a connection. Resolves with true if it ended with an error. */
function waitForClose(socket: net.Socket): Promise<boolean> {
  return new Promise((resolve) => socket.resume().once('close', resolve));
}

const decisionOf = async (proxy: CaptureProxy, url: string) => (await proxy.record()).decision(url);
const countsOf = async (proxy: CaptureProxy) => (await proxy.record()).counts;

/** Tests what every capture proxy must do. Each implementation's test file calls it once. */
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
      ])('%s gets no connection, and the decision is blocked', async (host) => {
        const victim = closing(await serveText('SECRET'));
        const proxy = await openProxy('');
        const target = `${host}:${victim.port}`;
        expect(await findRefusal(proxy, target)).toBe('NotAllowed');
        for (const scheme of ['http', 'https', 'ws', 'wss']) {
          expect(await decisionOf(proxy, `${scheme}://${target}/any`)).toMatchObject({
            reason: 'blocked',
            port: victim.port,
          });
        }
        expect(await countsOf(proxy)).toEqual({ connections: 1, blocked: 1, bytesIn: 0, bytesOut: 0 });
        expect(await victim.hits()).toBe(0);
      });

      it.each(['a@127.0.0.1', '127.0.0.1:80@example.com', '127.0.0.1/', 'a b'])(
        '%j is not a host and gets no connection',
        async (host) => {
          const victim = closing(await serveText('SECRET'));
          const proxy = await openProxy('127.0.0.1,::1');
          expect(await findRefusal(proxy, `${host}:${victim.port}`)).toBe('AddressNotSupported');
          expect(await victim.hits()).toBe(0);
        },
      );

      it('gets no connection by a name if any of its addresses is closed', async () => {
        const victim = closing(await serveText('SECRET'));
        const other = closing(await serveOnOtherLoopback('decoy', victim.port));
        const rules = `${other.host.includes(':') ? `[${other.host}]` : other.host}:${victim.port}`;
        const resolve: Resolve = async () => [familyOf(other.host), familyOf(victim.host)];
        const proxy = await openProxy(rules, { resolve });
        const target = `mixed.example:${victim.port}`;
        expect(await findRefusal(proxy, target)).toBe('NotAllowed');
        expect(await decisionOf(proxy, `http://${target}/`)).toEqual({
          reason: 'blocked',
          host: 'mixed.example',
          port: victim.port,
          message: `${target} is not a public address. The operator can allow it with EGRESS_ALLOW.`,
        });
        expect([await victim.hits(), await other.hits()]).toEqual([0, 0]);
      });

      it('gets no connection by a name that rebinds between captures', async () => {
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
          const addresses = await Promise.all([ask(proxy, url), ask(proxy, url)]);
          addresses.push(await ask(proxy, url));
          expect(addresses).toEqual(['decoy', 'decoy', 'decoy']);
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
        expect(await ask(proxy, `http://127.0.0.1:${server.port}/`)).toBe('page');
        expect(await ask(proxy, `http://localhost:${server.port}/`)).toBe('page');
        expect(await findRefusal(proxy, `127.0.0.1:${victim.port}`)).toBe('NotAllowed');
        expect(await findRefusal(proxy, `127.0.0.2:${server.port}`)).toBe('NotAllowed');
        expect(await decisionOf(proxy, `http://127.0.0.1:${server.port}/`)).toBeNull();
        expect(await decisionOf(proxy, `http://127.0.0.1:${victim.port}/`)).toMatchObject({ reason: 'blocked' });
        expect(await decisionOf(proxy, 'http://never-asked.example/')).toBeNull();
        expect(await countsOf(proxy)).toMatchObject({ connections: 4, blocked: 2 });
        expect(await victim.hits()).toBe(0);
      });

      it('is reached by its address and by its name', async () => {
        const server = closing(await serveText('page'));
        const proxy = await openProxy('127.0.0.1,::1');
        // The library of this test sends a valid address as an address and any other host as a name.
        for (const host of ['127.0.0.1', '127.1', 'localhost']) {
          expect(await ask(proxy, `http://${host}:${server.port}/`)).toBe('page');
        }
      });

      it('serves several requests over one connection', async () => {
        const server = closing(await serveText('page'));
        const proxy = await openProxy('127.0.0.1');
        const socket = await connectByProxy(proxy.url, `127.0.0.1:${server.port}`);
        const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
        Object.assign(agent, { createConnection: () => socket });
        for (let request = 0; request < 5; request++) {
          const [response] = (await once(http.get({ agent }), 'response')) as [IncomingMessage];
          expect(await text(response)).toBe('page');
        }
        agent.destroy();
        expect(await server.hits()).toBe(1);
        expect((await countsOf(proxy)).connections).toBe(1);
      });

      it('is tunnelled in both directions, and every byte is counted', async () => {
        const size = 1_000_000;
        const echo = net.createServer({ allowHalfOpen: true }, (socket) => {
          const chunks: Buffer[] = [];
          socket.on('data', (chunk) => chunks.push(chunk));
          socket.once('end', () => socket.end(Buffer.concat(chunks)));
        });
        const server = closing(await listenOn(echo));
        const proxy = await openProxy(`127.0.0.1:${server.port}`);
        const socket = await connectByProxy(proxy.url, `127.0.0.1:${server.port}`);
        socket.end('x'.repeat(size));
        expect((await text(socket)).length).toBe(size);
        expect(await countsOf(proxy)).toEqual({ connections: 1, blocked: 0, bytesIn: size, bytesOut: size });
      });

      it('loses the connection when the client disconnects', async () => {
        const server = net.createServer();
        const { port } = closing(await listenOn(server));
        const proxy = await openProxy(`127.0.0.1:${port}`);
        const accepted = once(server, 'connection') as Promise<[net.Socket]>;
        const socket = await connectByProxy(proxy.url, `127.0.0.1:${port}`);
        const [atTarget] = await accepted;
        socket.resetAndDestroy();
        await waitForClose(atTarget);
      });

      it('may be a WebSocket', async () => {
        const server = http.createServer();
        server.on('upgrade', (_request, socket) => {
          socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
          socket.pipe(socket);
        });
        const { port } = closing(await listenOn(server));
        const proxy = await openProxy(`127.0.0.1:${port}`);
        const socket = await connectByProxy(proxy.url, `127.0.0.1:${port}`);
        socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
        expect(String((await once(socket, 'data'))[0])).toContain('101 Switching Protocols');
        socket.write('frame');
        expect(String((await once(socket, 'data'))[0])).toBe('frame');
        expect(await decisionOf(proxy, `ws://127.0.0.1:${port}/`)).toBeNull();
        socket.destroy();
      });
    });

    describe('a target that cannot be reached', () => {
      const unknown: Resolve = async () => {
        throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
      };

      it('is an unknown name', async () => {
        const proxy = await openProxy('', { resolve: unknown });
        for (const port of [80, 443]) expect(await findRefusal(proxy, `gone.example:${port}`)).toBe('HostUnreachable');
        expect(await decisionOf(proxy, 'http://gone.example/')).toEqual({
          reason: 'dns',
          host: 'gone.example',
          port: 80,
          message: 'The name gone.example could not be resolved.',
        });
        expect(await decisionOf(proxy, 'https://GONE.example/path')).toMatchObject({ reason: 'dns', port: 443 });
        expect(await countsOf(proxy)).toMatchObject({ connections: 2, blocked: 0 });
      });

      it('is a port without a listener', async () => {
        const port = await closedPort();
        const proxy = await openProxy('127.0.0.1');
        expect(await findRefusal(proxy, `127.0.0.1:${port}`)).toBe('ConnectionRefused');
        expect(await decisionOf(proxy, `http://127.0.0.1:${port}/`)).toMatchObject({ reason: 'refused' });
        expect(await findRefusal(proxy, `localhost:${port}`)).toBe('ConnectionRefused');
        expect(await decisionOf(proxy, `https://localhost:${port}/`)).toMatchObject({ reason: 'refused' });
      });

      it('is a port that accepts no connection', async () => {
        const hanging = closing(await hangingPort());
        const proxy = await openProxy('127.0.0.1', { connectTimeoutMs: 50 });
        expect(await findRefusal(proxy, `127.0.0.1:${hanging.port}`)).toBe('HostUnreachable');
        expect(await decisionOf(proxy, `https://127.0.0.1:${hanging.port}/`)).toMatchObject({ reason: 'timeout' });
      });

      it.each([
        ['resets', (socket: net.Socket) => socket.resetAndDestroy()],
        ['ends', (socket: net.Socket) => socket.destroy()],
      ])('is a server that %s the connection after the first bytes', async (how, hangUp) => {
        const server = closing(await listenOn(net.createServer((socket) => socket.once('data', () => hangUp(socket)))));
        const target = `127.0.0.1:${server.port}`;
        const proxy = await openProxy('127.0.0.1');
        const socket = await connectByProxy(proxy.url, target);
        const [failed] = await Promise.all([waitForClose(socket), socket.write('hello')]);
        expect(failed).toBe(how === 'resets');
        expect(await decisionOf(proxy, `https://${target}/`)).toMatchObject({ reason: 'reset' });
      });

      it.each([
        ['speaks plain HTTP', () => http.createServer()],
        ['responds to TLS with an alert', () => tls.createServer({ minVersion: 'TLSv1.3' })],
      ])('is a server that %s in response to TLS', async (_what, createServer) => {
        const { port } = closing(await listenOn(createServer()));
        const proxy = await openProxy('127.0.0.1');
        const socket = await connectByProxy(proxy.url, `127.0.0.1:${port}`);
        const secured = tls.connect({ socket, host: 'x', maxVersion: 'TLSv1.2', rejectUnauthorized: false });
        await once(secured, 'error');
        expect(await decisionOf(proxy, `https://127.0.0.1:${port}/`)).toMatchObject({ reason: 'tls' });
      });

      it('records nothing for a tunnel that the client left unused', async () => {
        const server = closing(await listenOn(net.createServer()));
        const proxy = await openProxy('127.0.0.1');
        const socket = await connectByProxy(proxy.url, `127.0.0.1:${server.port}`);
        socket.end();
        expect(await server.hits()).toBe(1);
        expect(await decisionOf(proxy, `https://127.0.0.1:${server.port}/`)).toBeNull();

        const ending = closing(await listenOn(net.createServer((socket) => socket.end())));
        await waitForClose(await connectByProxy(proxy.url, `127.0.0.1:${ending.port}`));
        expect(await decisionOf(proxy, `https://127.0.0.1:${ending.port}/`)).toBeNull();
      });

      it('does not change the outcome of a target that was reached before', async () => {
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
        await ask(proxy, url);
        await expect(ask(proxy, url)).rejects.toThrow();
        expect(await decisionOf(proxy, url)).toBeNull();
      });

      it('does not look complete after its connection breaks', async () => {
        const server = closing(
          await listenOn(
            http.createServer((_request, response) => {
              response.writeHead(200, { 'content-length': 100 });
              response.write('half', () => response.destroy());
            }),
          ),
        );
        const proxy = await openProxy('127.0.0.1');
        await expect(ask(proxy, `http://127.0.0.1:${server.port}/`)).rejects.toThrow();
      });

      it('leaves a record of limited size', async () => {
        const proxy = await openProxy('', { resolve: unknown });
        const urls = Array.from({ length: 600 }, (_, index) => `http://gone-${index}.example/`);
        for (const url of urls) await findRefusal(proxy, `${new URL(url).hostname}:80`);
        const record = await proxy.record();
        expect(urls.filter((url) => record.decision(url)).length).toBe(512);
        expect(await decisionOf(proxy, 'http://gone-599.example/')).toMatchObject({ reason: 'dns' });
      });
    });

    describe('the listener', () => {
      it('listens on loopback and speaks only the proxy protocol', async () => {
        const proxy = await openProxy('127.0.0.1');
        expect(proxy.url).toMatch(/^socks5:\/\/127\.0\.0\.1:\d+$/);
        await expect(fetch(`http://127.0.0.1:${proxyPort(proxy)}/`)).rejects.toThrow();
        expect((await countsOf(proxy)).connections).toBe(0);
      });

      it('is reached through no proxy, however wide a range is opened', async () => {
        const proxy = await openProxy('127.0.0.0/8');
        const other = await openProxy('127.0.0.0/8');
        for (const port of [proxyPort(proxy), proxyPort(other)]) {
          expect(await findRefusal(proxy, `127.0.0.1:${port}`)).toBe('NotAllowed');
          expect(await decisionOf(proxy, `http://127.0.0.1:${port}/`)).toMatchObject({ reason: 'blocked' });
        }
        const freed = proxyPort(other);
        await other.close();
        expect(await findRefusal(proxy, `127.0.0.1:${freed}`)).toBe('ConnectionRefused');
      });

      it.each([
        ['requires authentication', [5, 1, 2], [5, 0xff]],
        ['requests an incoming connection', [5, 1, 0, 5, 2, 0, 1, 127, 0, 0, 1, 0, 80], [5, 0, 5, 7]],
        ['requests datagrams', [5, 1, 0, 5, 3, 0, 1, 127, 0, 0, 1, 0, 80], [5, 0, 5, 7]],
        ['names no host', [5, 1, 0, 5, 1, 0, 3, 0, 0, 80], [5, 0, 5, 8]],
        ['names no port', [5, 1, 0, 5, 1, 0, 1, 127, 0, 0, 1, 0, 0], [5, 0, 5, 8]],
        ['names an unknown address type', [5, 1, 0, 5, 1, 0, 9, 1, 2, 3], [5, 0]],
        ['speaks version 4', [4, 1, 0, 80, 127, 0, 0, 1, 0], []],
        ['leaves before its request is complete', [5, 1, 0, 5, 1, 0, 1, 127], [5, 0]],
      ])('rejects a client that %s', async (_what, words, response) => {
        const proxy = await openProxy('127.0.0.1');
        const client = net.connect({ host: '127.0.0.1', port: proxyPort(proxy) }).on('error', () => {});
        client.end(Buffer.from(words));
        const received = Buffer.concat(await client.toArray());
        expect([...received.subarray(0, response.length)]).toEqual(response);
        expect(received.length).toBeLessThanOrEqual(12);
        expect((await countsOf(proxy)).connections).toBe(0);
      });

      it('accepts a request byte by byte, and an IPv6 address', async () => {
        const proxy = await openProxy('');
        const client = net.connect({ host: '127.0.0.1', port: proxyPort(proxy), noDelay: true });
        const address = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
        for (const byte of [5, 2, 1, 0, 5, 1, 0, 4, ...address, 0, 80]) {
          await new Promise((resolve) => client.write(Buffer.from([byte]), resolve));
        }
        const response = Buffer.concat(await client.toArray());
        expect([...response.subarray(0, 4)]).toEqual([5, 0, 5, 2]);
        expect(await decisionOf(proxy, 'http://[::1]/')).toMatchObject({ reason: 'blocked' });
      });

      it('survives a client that sends garbage or leaves at any moment', async () => {
        const server = closing(await listenOn(http.createServer()));
        const hanging = closing(await hangingPort());
        const proxy = await openProxy('127.0.0.1');
        const wish = (port: number, more = '') =>
          Buffer.concat([Buffer.from([5, 1, 0, 5, 1, 0, 1, 127, 0, 0, 1, port >> 8, port & 255]), Buffer.from(more)]);
        for (const words of [
          Buffer.from('\u0016\u0003\u0001'),
          Buffer.from('GET http://127.0.0.1/ HTTP/1.1\r\nHost: x\r\n\r\n'),
          wish(hanging.port),
          wish(server.port),
          wish(server.port, 'words'),
        ]) {
          const client = net.connect({ host: '127.0.0.1', port: proxyPort(proxy) }).on('error', () => {});
          await new Promise((resolve) => client.write(words, resolve));
          client.resetAndDestroy();
        }
        (await connectByProxy(proxy.url, `127.0.0.1:${server.port}`)).destroy();
        expect(await decisionOf(proxy, `http://127.0.0.1:${server.port}/`)).toBeNull();
      });

      it('closes at once with all its connections, and keeps its counts', async () => {
        const server = closing(await listenOn(http.createServer(() => {})));
        const hanging = closing(await hangingPort());
        const proxy = await openProxy('127.0.0.1');
        const socket = await connectByProxy(proxy.url, `127.0.0.1:${server.port}`);
        const unanswered = ask(proxy, `http://127.0.0.1:${server.port}/`);
        unanswered.catch(() => {});
        const dialling = findRefusal(proxy, `127.0.0.1:${hanging.port}`);
        while ((await countsOf(proxy)).connections < 3) await new Promise(setImmediate);

        await Promise.all([proxy.close(), proxy.close()]);
        await expect(unanswered).rejects.toThrow();
        expect(await dialling).not.toBe('');
        await new Promise((resolve) => (socket.destroyed ? resolve(null) : socket.resume().once('close', resolve)));
        expect(await findRefusal(proxy, `127.0.0.1:${server.port}`)).toBe('cut');
        expect(await countsOf(proxy)).toMatchObject({ connections: 3, blocked: 0 });
        expect(await decisionOf(proxy, `http://127.0.0.1:${server.port}/`)).toBeNull();
      });
    });

    describe('a budget', () => {
      it('of connections limits their number', async () => {
        const server = closing(await serveText('page'));
        const proxy = await openProxy('127.0.0.1', { budget: { connections: 2 } });
        const url = `http://127.0.0.1:${server.port}/`;
        await ask(proxy, url);
        await ask(proxy, url);
        expect((await proxy.record()).exhausted).toBeNull();
        expect(await findRefusal(proxy, `127.0.0.1:${server.port}`)).toBe('NotAllowed');
        expect((await proxy.record()).exhausted).toBe('connections');
        expect((await countsOf(proxy)).connections).toBe(2);
      });

      it('of bytes ends an endless response', async () => {
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
        const socket = await connectByProxy(proxy.url, `127.0.0.1:${server.port}`);
        socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
        await waitForClose(socket);
        expect((await proxy.record()).exhausted).toBe('bytes');
        expect((await countsOf(proxy)).bytesIn).toBeLessThan(2_000_000);
      });
    });
  });
}
