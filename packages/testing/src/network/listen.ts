import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { noteOpen } from '../open-resources.ts';

/**
 * Lets a server listen, on a free port of 127.0.0.1 by default.
 *
 * @param name how a failure names the server when a test leaves it open.
 * @returns its port, and a function that closes the server with all its connections.
 */
export async function listen(
  server: Server,
  name: string,
  { host = '127.0.0.1', port: wanted = 0 } = {},
): Promise<{ port: number; sockets: ReadonlySet<Socket>; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(wanted, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    closed();
    const ended = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await ended;
  };
  const closed = noteOpen(`${name} on port ${port}`, close);
  return { port, sockets, close };
}
