import { createServer } from 'node:net';

/** Whether a server could listen there now; `denied` when the system does not let this user have the port. */
export function tryPort(port: number, host?: string): Promise<'free' | 'taken' | 'denied'> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EACCES' ? 'denied' : 'taken'));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve('free')));
  });
}

/**
 * A port of 127.0.0.1 on which nobody listens: `preferred` if that one is free (so that a restart keeps its address),
 * else one that the system chooses.
 */
export async function findFreePort(preferred?: number): Promise<number> {
  if (preferred && (await tryPort(preferred, '127.0.0.1')) === 'free') return preferred;
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
