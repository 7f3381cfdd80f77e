import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Whether a server could listen there now; `denied` when the system does not let this user have the port. */
export function tryPort(port: number, host?: string): Promise<'free' | 'taken' | 'denied'> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EACCES' ? 'denied' : 'taken'));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve('free')));
  });
}

/** Below the ports that systems give to whoever asks for any: from 32,768 on Linux, from 49,152 elsewhere. */
const range = [10_000, 32_768] as const;

/**
 * A port of 127.0.0.1 on which nobody listens: `preferred` if that one is free (so that a restart keeps its address), else
 * any. One that the system chose could be somebody's outgoing connection before a server listens there, or while it is away.
 */
export async function findFreePort(preferred?: number): Promise<number> {
  for (let port = preferred || randomInt(...range); ; port = randomInt(...range)) {
    if ((await tryPort(port, '127.0.0.1')) === 'free') return port;
  }
}
