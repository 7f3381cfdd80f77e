import { randomInt } from 'node:crypto';
import { tryPort } from '@capture/provisioning/free-port';

/** Below the ports that systems give to whoever asks for any: from 32,768 on Linux, from 49,152 elsewhere. */
const range = [10_000, 32_768] as const;

/**
 * A port of 127.0.0.1 for a server that a test starts, ends and starts again. One that the system chose could be
 * somebody else's before the server listens there, or while it is away.
 */
export async function findOwnPort(): Promise<number> {
  for (;;) {
    const port = randomInt(...range);
    if ((await tryPort(port, '127.0.0.1')) === 'free') return port;
  }
}
