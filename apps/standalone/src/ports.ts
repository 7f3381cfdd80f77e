import { readFileSync, writeFileSync } from 'node:fs';
import { tryPort } from '@capture/provisioning/free-port';
import { StartError } from './start-error.ts';

/** The ports on which a start last had its own servers. */
export interface OwnPorts {
  postgres?: number;
  redis?: number;
  samplePage?: number;
}

/** Kept, so that a second start has the same addresses as the first, where they are still free. */
export function readPorts(file: string): OwnPorts {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

export function writePorts(file: string, ports: OwnPorts): void {
  writeFileSync(file, `${JSON.stringify(ports)}\n`, { mode: 0o600 });
}

/**
 * Makes sure, before anything slow is done, that the gateway will get its port.
 *
 * @throws {StartError} when it will not.
 */
export async function expectFreePort(port: number): Promise<void> {
  const state = await tryPort(port);
  if (state === 'taken') {
    throw new StartError(
      `Port ${port} is taken by another program: stop it, or choose another port, as in \`PORT=${port + 1} npm start\`.`,
    );
  }
  if (state === 'denied') {
    throw new StartError(
      `Port ${port} may not be used by this user: choose one above 1023, as in \`PORT=3000 npm start\`.`,
    );
  }
}
