import type { Database } from '@capture/database/database';
import type { Logger } from '@capture/runtime/service/log';
import type { Storage } from '@capture/storage/storage';

export interface CleanupDependencies {
  database: Pick<Database, 'pool'>;
  storage: Storage;
  log: Logger;
  /** Whether the process is stopping: then a run ends early, and another process resumes it. */
  stopping?: () => boolean;
}

/** Files that one statement checks. */
export const filesPerStatement = 500;

/** Removals at once: a bucket takes some 50 ms for each. */
const atOnce = 16;

/**
 * Removes files. One that cannot be removed does not keep the others from being removed.
 *
 * @returns how many were removed, and the error of the first that was not.
 */
export async function removeFiles(
  storage: Pick<Storage, 'remove'>,
  keys: readonly string[],
): Promise<{ removed: number; error: Error | null }> {
  const failures: unknown[] = [];
  for (let from = 0; from < keys.length; from += atOnce) {
    const results = await Promise.allSettled(keys.slice(from, from + atOnce).map((key) => storage.remove(key)));
    for (const result of results) if (result.status === 'rejected') failures.push(result.reason);
  }
  const [cause] = failures;
  const message = `${failures.length} of ${keys.length} files could not be removed`;
  const error = failures.length > 0 ? new Error(message, { cause }) : null;
  return { removed: keys.length - failures.length, error };
}
