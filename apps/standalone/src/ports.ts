import { readFileSync, writeFileSync } from 'node:fs';
import { tryPort } from '@capture/provisioning/free-port';
import { StartError } from './start-error.ts';

/** The ports of the embedded servers at the last start. */
export interface OwnPorts {
  postgres?: number;
  redis?: number;
  samplePage?: number;
}

/** Reads the stored ports, so that the next start uses the same ports if they are still free. */
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

/** Checks, before any slow step, that the gateway can use its port. @throws {StartError} if it cannot. */
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
