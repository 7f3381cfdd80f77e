import { releaseExpiredFiles } from '@capture/database/captures/release-files';
import { deleteDeadWorkers } from '@capture/database/captures/worker-heartbeat';
import { cleanupJobs } from '@capture/database/cleanup/cleanup-jobs';
import { runCleanupJob } from '@capture/database/cleanup/run-cleanup-job';
import { every } from '@capture/runtime/service/every';
import { type CleanupDependencies, filesPerStatement, removeFiles } from './remove-files.ts';
import { removeOrphans } from './remove-orphans.ts';

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
      removed += await removeFiles(storage, keys);
      if (keys.length === 0) break;
    }
    if (removed > 0) log.info({ job: 'expired files', removed }, 'expired files were removed');
    await deleteDeadWorkers(database.pool);
    return removed;
  });
}
