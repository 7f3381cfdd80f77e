import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const fileName = 'platform.json';

/** Where to reach the platform that runs on a data folder; holds no secret. */
export interface PlatformAddress {
  /** From this machine: `http://localhost:<port>`. */
  url: string;
}

/** Writes where the platform listens into its data folder, for the operator's command line. */
export function writePlatformFile(dataDir: string, address: PlatformAddress): void {
  writeFileSync(path.join(dataDir, fileName), `${JSON.stringify(address)}\n`, { mode: 0o600 });
}

export function removePlatformFile(dataDir: string): void {
  rmSync(path.join(dataDir, fileName), { force: true });
}

/** Where the platform on `dataDir` listens; null when none was started there, or it was stopped. */
export function readPlatformFile(dataDir: string): PlatformAddress | null {
  try {
    return JSON.parse(readFileSync(path.join(dataDir, fileName), 'utf8'));
  } catch {
    return null;
  }
}
