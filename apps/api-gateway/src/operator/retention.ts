import { cleanupJobs } from '@capture/database/cleanup/cleanup-jobs';
import { runCleanupJob } from '@capture/database/cleanup/run-cleanup-job';
import type { Database } from '@capture/database/database';
import { createPartitions } from '@capture/database/partitions/create-partitions';
import { deleteOldCaptures } from '@capture/database/retention/delete-old-captures';
import { every } from '@capture/runtime/service/every';
import type { Logger } from '@capture/runtime/service/log';

interface RetentionDependencies {
  database: Pick<Database, 'pool'>;
  log: Logger;
  /** How long captures and batches are kept. */
  retentionDays: number;
}

/**
 * Starts two cleanup jobs: one creates the partitions of the next weeks, for the first time at once, and one deletes old captures
 * and batches. Each runs in one gateway at a time.
 *
 * @returns a function that stops both.
 */
export function startRetention({ database: { pool }, log, retentionDays }: RetentionDependencies): () => Promise<void> {
  let stopping = false;
  const create = () => runCleanupJob(pool, 'partitions', (at) => createPartitions(pool, at));
  const deleteOld = () =>
    runCleanupJob(pool, 'old captures', async (at) => {
      const rows = await deleteOldCaptures(pool, { at, days: retentionDays, goOn: () => !stopping });
      if (rows > 0) log.info({ rows }, 'deleted old captures and batches');
      return rows;
    });
  const first = create().catch((error) => log.warn({ err: error }, 'could not create partitions; will retry'));
  const stops = [
    every(cleanupJobs.partitions.everyMs, 'creating partitions', log, create),
    every(cleanupJobs['old captures'].everyMs, 'deleting old captures', log, deleteOld),
  ];
  return async () => {
    stopping = true;
    await Promise.all([first, ...stops.map((stop) => stop())]);
  };
}
