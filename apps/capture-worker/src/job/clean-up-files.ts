import { releaseExpiredFiles, withoutRecord } from '@capture/database/captures/release-files';
import { deleteDeadWorkers } from '@capture/database/captures/worker-heartbeat';
import { cleanupJobs } from '@capture/database/cleanup/cleanup-jobs';
import { runCleanupJob } from '@capture/database/cleanup/run-cleanup-job';
import type { Database } from '@capture/database/database';
import { every } from '@capture/runtime/service/every';
import type { Logger } from '@capture/runtime/service/log';
import type { Storage } from '@capture/storage/storage';

export interface CleanupDependencies {
  database: Pick<Database, 'pool'>;
  storage: Storage;
  log: Logger;
}

/** A file is written before its row names it. A capture takes two minutes at most; this is many times that. */
const orphanAfterMs = 3_600_000;

/** Files that one statement checks. */
const filesPerStatement = 500;

/**
 * Starts the cleanup jobs for expired files and for files that no row names. Each runs in one worker at a time and logs what
 * it removed.
 *
 * @returns a function that stops them.
 */
export function startFileCleanup(dependencies: CleanupDependencies): () => Promise<void> {
  const { log } = dependencies;
  const stops = [
    every(cleanupJobs['expired files'].everyMs, 'removing expired files', log, () => removeExpiredFiles(dependencies)),
    every(cleanupJobs['files without a row'].everyMs, 'removing files without a row', log, () =>
      removeOrphans(dependencies),
    ),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

export async function removeExpiredFiles({ database, storage, log }: CleanupDependencies): Promise<void> {
  await runCleanupJob(database.pool, 'expired files', async () => {
    let removed = 0;
    for (;;) {
      const keys = await releaseExpiredFiles(database.pool, new Date(), filesPerStatement);
      for (const key of keys) await storage.remove(key);
      removed += keys.length;
      if (keys.length === 0) break;
    }
    if (removed > 0) log.info({ job: 'expired files', removed }, 'expired files were removed');
    await deleteDeadWorkers(database.pool);
    return removed;
  });
}

export async function removeOrphans(
  { database, storage, log }: CleanupDependencies,
  olderThanMs: number = orphanAfterMs,
): Promise<void> {
  await runCleanupJob(database.pool, 'files without a row', async () => {
    let removed = 0;
    const check = async (keys: readonly string[]) => {
      for (const key of await withoutRecord(database.pool, keys)) {
        await storage.remove(key);
        removed += 1;
      }
    };
    let keys: string[] = [];
    for await (const key of storage.list(new Date(Date.now() - olderThanMs))) {
      keys.push(key);
      if (keys.length < filesPerStatement) continue;
      await check(keys);
      keys = [];
    }
    await check(keys);
    if (removed > 0) log.info({ job: 'files without a row', removed }, 'files without a row were removed');
    return removed;
  });
}
