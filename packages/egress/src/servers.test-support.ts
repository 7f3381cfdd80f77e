import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo, type Server } from 'node:net';
import { Worker } from 'node:worker_threads';

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** Counts the connections so far. It opens one more connection, which the system queues behind all earlier ones. */
  hits(): Promise<number>;
  close(): Promise<void>;
}

/** Listens on a free port of the given address (`127.0.0.1`) and counts connections. Rejects if it cannot listen. */
export async function listenOn(
  server: Server,
  { host = '127.0.0.1', port: wanted = 0 }: { host?: string; port?: number } = {},
): Promise<Listening> {
  const sockets = new Set<net.Socket>();
  const clientPorts: (number | undefined)[] = [];
  server.on('connection', (socket: net.Socket) => {
    clientPorts.push(socket.remotePort);
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(wanted, host, resolve);
  });
  const port = (server.address() as AddressInfo).port;
  return {
    host,
    port,
    async hits() {
      const probe = net.connect({ host, port }).on('error', () => {});
      await once(probe, 'connect');
      while (!clientPorts.includes(probe.localPort)) await once(server, 'connection');
      clientPorts.splice(clientPorts.indexOf(probe.localPort), 1);
      probe.destroy();
      return clientPorts.length;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

export function serveText(text: string, options?: { host?: string; port?: number }): Promise<Listening> {
  return listenOn(
    http.createServer((_request, response) => response.end(text)),
    options,
  );
}

/** Serves on a second loopback address: Linux has all of 127.0.0.0/8, other systems have ::1. */
export async function serveOnOtherLoopback(text: string, port: number): Promise<Listening> {
  return serveText(text, { host: '127.0.0.2', port }).catch(() => serveText(text, { host: '::1', port }));
}

/** Returns a port on 127.0.0.1 without a listener. */
export async function closedPort(): Promise<number> {
  const server = await listenOn(net.createServer());
  await server.close();
  return server.port;
}

export const familyOf = (address: string) => ({ address, family: net.isIP(address) });

/**
 * Opens a port on 127.0.0.1 where connection attempts wait forever: its thread sleeps, and its backlog is full. (On systems other
 * than Linux a full backlog may refuse instead.)
 */
export async function hangingPort(): Promise<{ port: number; close(): Promise<void> }> {
  const script = `
    const { parentPort } = require('node:worker_threads');
    const server = require('node:net').createServer();
    server.listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => {
      parentPort.postMessage(server.address().port);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
    });`;
  const worker = new Worker(script, { eval: true });
  const [port] = (await once(worker, 'message')) as [number];
  const fillers = Array.from({ length: 4 }, () => net.connect({ host: '127.0.0.1', port }).on('error', () => {}));
  await Promise.all(fillers.slice(0, 2).map((socket) => once(socket, 'connect')));
  return {
    port,
    async close() {
      for (const socket of fillers) socket.destroy();
      await worker.terminate();
    },
  };
}
