import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '@capture/testing/network/listen';

/** A TCP proxy that can delay responses. */
export interface SlowProxy {
  port: number;
  /** Delays every response from now on, milliseconds. */
  delay(ms: number): void;
  close(): Promise<void>;
}

export async function openSlowProxy(target: number): Promise<SlowProxy> {
  let delayMs = 0;
  const server = createServer(async (client: Socket) => {
    const upstream = connect(target, '127.0.0.1');
    client.on('close', () => upstream.destroy()).on('error', () => {});
    upstream.on('close', () => client.destroy()).on('error', () => {});
    client.pipe(upstream);
    try {
      // The chunks are written one after the other, to preserve their order.
      for await (const chunk of upstream) {
        if (delayMs > 0) await sleep(delayMs);
        client.write(chunk);
      }
    } catch {
      // The connection broke, which closes both sockets.
    }
  });
  const { port, close } = await listen(server, 'slow proxy');
  return {
    port,
    delay: (ms) => {
      delayMs = ms;
    },
    close,
  };
}
