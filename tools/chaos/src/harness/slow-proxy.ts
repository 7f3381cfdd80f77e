import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A way to a server that can be made slow. */
export interface SlowLink {
  port: number;
  /** From now on every answer comes so much later, milliseconds; 0 for at once. */
  delay(ms: number): void;
  close(): Promise<void>;
}

/** Opens a port of 127.0.0.1 that leads to `port` of it. */
export async function openSlowLink(port: number): Promise<SlowLink> {
  let delayMs = 0;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // One side goes away: so does the other.
    socket.on('error', () => {});
    return socket;
  };
  const server = createServer(async (client) => {
    const upstream = connect(port, '127.0.0.1');
    keep(client).on('close', () => upstream.destroy());
    keep(upstream).on('close', () => client.destroy());
    client.pipe(upstream);
    try {
      // One piece after the other, so that they arrive in their order.
      for await (const chunk of upstream) {
        if (delayMs > 0) await sleep(delayMs);
        client.write(chunk);
      }
    } catch {
      // It broke off; both are closed by that.
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    delay: (ms) => {
      delayMs = ms;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
