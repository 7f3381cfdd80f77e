import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const fileName = 'platform.json';

/** The address of the platform that runs on a data folder; contains no secret. */
export interface PlatformAddress {
  /** The URL from this machine: `http://localhost:<port>`. */
  url: string;
}

/** Writes the platform's address into its data folder, for the operator's command line. */
export function writePlatformFile(dataDir: string, address: PlatformAddress): void {
  writeFileSync(path.join(dataDir, fileName), `${JSON.stringify(address)}\n`, { mode: 0o600 });
}

export function removePlatformFile(dataDir: string): void {
  rmSync(path.join(dataDir, fileName), { force: true });
}

/** Reads the address of the platform on `dataDir`; null if no platform was started there, or if it was stopped. */
export function readPlatformFile(dataDir: string): PlatformAddress | null {
  try {
    return JSON.parse(readFileSync(path.join(dataDir, fileName), 'utf8'));
  } catch {
    return null;
  }
}
