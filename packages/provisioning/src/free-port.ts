import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Checks whether a server could listen on the port now; `denied` if this user may not use the port. */
export function tryPort(port: number, host?: string): Promise<'free' | 'taken' | 'denied'> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EACCES' ? 'denied' : 'taken'));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve('free')));
  });
}

/**
 * The range is above 10,080, the last port that browsers and `fetch` refuse, and below the ephemeral ports, which begin at 32,768
 * on Linux and at 49,152 elsewhere.
 */
const range = [10_081, 32_768] as const;

/**
 * Finds a free port of 127.0.0.1: `preferred` if it is free, so that a restart keeps its address, or else a random port. The
 * system does not choose the port: it could assign the port to an outgoing connection before the server listens, or while the
 * server restarts.
 */
export async function findFreePort(preferred?: number): Promise<number> {
  for (let port = preferred || randomInt(...range); ; port = randomInt(...range)) {
    if ((await tryPort(port, '127.0.0.1')) === 'free') return port;
  }
}
