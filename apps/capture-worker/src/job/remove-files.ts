import type { Database } from '@capture/database/database';
import type { Logger } from '@capture/runtime/service/log';
import type { Storage } from '@capture/storage/storage';

export interface CleanupDependencies {
  database: Pick<Database, 'pool'>;
  storage: Storage;
  log: Logger;
}

/** Files that one statement checks. */
export const filesPerStatement = 500;

/**
 * Removes files, one after the other. A file that cannot be removed does not keep the others from being removed.
 *
 * @returns how many were removed, all of them.
 * @throws {Error} at the end, if some could not be removed.
 */
export async function removeFiles(storage: Pick<Storage, 'remove'>, keys: readonly string[]): Promise<number> {
  let [failed, cause]: [number, unknown] = [0, undefined];
  for (const key of keys) {
    try {
      await storage.remove(key);
    } catch (error) {
      failed += 1;
      cause ??= error;
    }
  }
  if (failed > 0) throw new Error(`${failed} of ${keys.length} files could not be removed`, { cause });
  return keys.length;
}
