import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Whether a server could listen on the port now; `denied` when this user may not use it. */
export function tryPort(port: number, host?: string): Promise<'free' | 'taken' | 'denied'> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EACCES' ? 'denied' : 'taken'));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve('free')));
  });
}

/**
 * Above 10,080, the last port that browsers and `fetch` refuse, and below the ephemeral ports, which begin at 32,768 on Linux and
 * at 49,152 elsewhere.
 */
const range = [10_081, 32_768] as const;

/**
 * A free port of 127.0.0.1: `preferred` if it is free (so that a restart keeps its address), else a random one. A port
 * that the system chose could become an outgoing connection's before the server listens, or while it restarts.
 */
export async function findFreePort(preferred?: number): Promise<number> {
  for (let port = preferred || randomInt(...range); ; port = randomInt(...range)) {
    if ((await tryPort(port, '127.0.0.1')) === 'free') return port;
  }
}
