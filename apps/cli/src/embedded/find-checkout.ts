import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../usage-error.ts';

/**
 * Returns the checkout of the platform to start: the given checkout, else the one that contains this program.
 *
 * @param given by `--platform` or `CAPTURE_PLATFORM`.
 * @throws {UsageError} if there is none.
 */
export function findCheckout(given: string | undefined): string {
  if (given !== undefined) {
    const folder = path.resolve(given);
    if (isCheckout(folder)) return folder;
    throw new UsageError(`${folder} is not a checkout of the capture platform`);
  }
  // The program is in apps/cli/src/embedded or apps/cli/dist/embedded.
  const own = path.join(import.meta.dirname, '..', '..', '..', '..');
  if (isCheckout(own)) return own;
  throw new UsageError(
    'no server: pass --server (or set CAPTURE_SERVER), or pass --platform (or set CAPTURE_PLATFORM) with a checkout of the platform to start for this command',
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
