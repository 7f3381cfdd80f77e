import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../usage-error.ts';

/**
 * The checkout whose platform is brought up: the one that was named, else the one that this program is part of.
 *
 * @param named by `--platform` or `CAPTURE_PLATFORM`.
 * @throws {UsageError} in one sentence where there is none.
 */
export function findCheckout(named: string | undefined): string {
  if (named !== undefined) {
    const folder = path.resolve(named);
    if (isCheckout(folder)) return folder;
    throw new UsageError(`${folder} is no checkout of the capture platform: it has no bootstrap.mjs of it`);
  }
  // apps/cli/src as apps/cli/dist.
  const own = path.join(import.meta.dirname, '..', '..', '..', '..');
  if (isCheckout(own)) return own;
  throw new UsageError(
    'no server is named: give --server (or CAPTURE_SERVER) for one that runs, or --platform (or CAPTURE_PLATFORM) with the folder of a checkout of the platform, which is then started for the time of this call',
  );
}

function isCheckout(folder: string): boolean {
  try {
    const { name } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    return name === 'capture-platform' && existsSync(path.join(folder, 'bootstrap.mjs'));
  } catch {
    return false;
  }
}
