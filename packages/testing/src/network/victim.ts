import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { networkInterfaces } from 'node:os';
import { noteOpen } from '../open-resources.ts';
import { findOwnPort } from './own-port.ts';

/**
 * Servers on this machine that no page or webhook may reach. Each attempted route has a separate port, so that a hit shows
 * which route was open. A TCP connection or UDP datagram counts, even without a request.
 */
export interface Victim {
  /** Returns the port of a route. */
  port(way: string): number;
  /** `EGRESS_ALLOW` that names every one of these ports. */
  readonly allow: string;
  /** The routes whose port was hit, in order, including packets still in flight at this call. */
  hits(): Promise<string[]>;
  close(): Promise<void>;
}

/** Listens for each route on 127.0.0.1 and, where there is IPv6, on ::1. An HTTP request gets `SECRET`. */
export async function openVictim(ways: readonly string[]): Promise<Victim> {
  const doors = new Map<string, Door>();
  const close = async () => {
    closed();
    await Promise.all([...doors.values()].map((door) => door.close()));
  };
  const closed = noteOpen('victim', close);
  for (const way of ways) doors.set(way, await openDoor());
  return {
    port(way) {
      const door = doors.get(way);
      if (!door) throw new Error(`the victim has no port for ${way}`);
      return door.port;
    },
    allow: [...doors.values()].map(({ port }) => `127.0.0.1/32:${port},[::1/128]:${port}`).join(),
    async hits() {
      const hit = await Promise.all([...doors].map(async ([way, door]) => ((await door.wasHit()) ? [way] : [])));
      return hit.flat();
    },
    close,
  };
}

interface Door {
  port: number;
  wasHit(): Promise<boolean>;
  close(): Promise<void>;
}

/** Opens one port number for TCP and UDP. */
async function openDoor(): Promise<Door> {
  for (;;) {
    const port = await findOwnPort();
    const listeners: Door[] = [];
    try {
      for (const host of hasIpv6() ? ['127.0.0.1', '::1'] : ['127.0.0.1']) {
        listeners.push(await listenTcp(host, port), await listenUdp(host, port));
      }
    } catch (error) {
      await Promise.all(listeners.map((listener) => listener.close()));
      // Another process uses this number for one of the two protocols.
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue;
      throw error;
    }
    return {
      port,
      wasHit: async () => (await Promise.all(listeners.map((listener) => listener.wasHit()))).includes(true),
      close: async () => void (await Promise.all(listeners.map((listener) => listener.close()))),
    };
  }
}

async function listenTcp(host: string, port: number): Promise<Door> {
  const clients: (number | undefined)[] = [];
  const sockets = new Set<net.Socket>();
  const server = http.createServer((_, response) => {
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end('SECRET');
  });
  server.on('connection', (socket) => {
    clients.push(socket.remotePort);
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket));
  });
  await listening(server, () => server.listen(port, host));
  return {
    port,
    // The system accepts connections in order. Once our own probe is accepted, no earlier connection is pending.
    async wasHit() {
      const own = net.connect({ host, port }).on('error', () => {});
      await once(own, 'connect');
      while (!clients.includes(own.localPort)) await once(server, 'connection');
      clients.splice(clients.indexOf(own.localPort), 1);
      own.destroy();
      return clients.length > 0;
    },
    async close() {
      const ended = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await ended;
    },
  };
}

async function listenUdp(host: string, port: number): Promise<Door> {
  const socket = createSocket(host === '::1' ? 'udp6' : 'udp4');
  let hits = 0;
  const probe = `probe of ${process.pid}`;
  socket.on('message', (message) => {
    if (message.toString() === probe) socket.emit('probed');
    else hits += 1;
  });
  await listening(socket, () => socket.bind(port, host));
  return {
    port,
    async wasHit() {
      const probed = once(socket, 'probed');
      socket.send(probe, port, host);
      await probed;
      return hits > 0;
    },
    async close() {
      const ended = once(socket, 'close');
      socket.close();
      await ended;
    },
  };
}

async function listening(server: NodeJS.EventEmitter, listen: () => void): Promise<void> {
  // This rejects with the server's error.
  const started = once(server, 'listening');
  listen();
  await started;
}

/** Whether this machine has ::1. */
export function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'));
}
