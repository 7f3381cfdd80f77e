import { cleanupJobs } from '@capture/database/cleanup/cleanup-jobs';
import { runCleanupJob } from '@capture/database/cleanup/run-cleanup-job';
import type { Database } from '@capture/database/database';
import {
  deleteIdleReceivers,
  deleteOldDeliveries,
  failOldDeliveries,
} from '@capture/database/deliveries/delete-old-deliveries';
import { deleteDeadDispatchers } from '@capture/database/deliveries/dispatcher-heartbeat';
import { recoverReceivers } from '@capture/database/deliveries/receivers';
import { followEndpoints } from '@capture/database/endpoints/endpoint-deliveries';
import { every } from '@capture/runtime/service/every';
import type { Logger } from '@capture/runtime/service/log';

interface CleanupDependencies {
  database: Pick<Database, 'pool'>;
  log: Logger;
  now: () => Date;
  /** How long delivery logs are kept. */
  retentionDays: number;
}

/**
 * Starts the cleanup jobs that find forgotten receivers, make deliveries follow changed endpoints, and delete old delivery logs.
 * Each job runs in one dispatcher at a time.
 *
 * @param wake called when deliveries may have become due.
 * @returns a function that stops the jobs.
 */
export function startDeliveryCleanup(dependencies: CleanupDependencies, wake: () => void): () => Promise<void> {
  const { log } = dependencies;
  let stopping = false;
  const stops = [
    every(cleanupJobs['endpoint deliveries'].everyMs, 'changing deliveries of endpoints', log, async () => {
      const { pool } = dependencies.database;
      if (await runCleanupJob(pool, 'endpoint deliveries', () => followEndpoints(pool, { goOn: () => !stopping })))
        wake();
    }),
    every(cleanupJobs['forgotten receivers'].everyMs, 'finding forgotten receivers', log, async () => {
      if ((await recoverForgottenReceivers(dependencies, () => !stopping)) > 0) wake();
    }),
    every(cleanupJobs['delivery logs'].everyMs, 'deleting old delivery logs', log, () =>
      deleteOldLogs(dependencies, () => !stopping),
    ),
  ];
  return async () => {
    stopping = true;
    await Promise.all(stops.map((stop) => stop()));
  };
}

/** @returns the number of receivers with due deliveries that were not marked as due. */
async function recoverForgottenReceivers({ database, log }: CleanupDependencies, goOn: () => boolean): Promise<number> {
  const found = await runCleanupJob(database.pool, 'forgotten receivers', () =>
    recoverReceivers(database.pool, { goOn }),
  );
  if (found) log.warn({ receivers: found }, 'found due receivers that were not marked as due');
  return found ?? 0;
}

async function deleteOldLogs(
  { database, log, now, retentionDays }: CleanupDependencies,
  goOn: () => boolean,
): Promise<void> {
  await runCleanupJob(database.pool, 'delivery logs', async () => {
    const retention = { at: now(), days: retentionDays, goOn };
    const failed = await failOldDeliveries(database.pool, retention);
    if (failed.paused > 0) log.warn({ deliveries: failed.paused }, 'failed deliveries that were held too long');
    if (failed.pending > 0) log.warn({ deliveries: failed.pending }, 'failed deliveries that were pending too long');
    const deliveries = await deleteOldDeliveries(database.pool, retention);
    if (deliveries > 0) log.info({ deliveries }, 'deleted old delivery logs');
    await deleteIdleReceivers(database.pool, { goOn });
    await deleteDeadDispatchers(database.pool);
    return deliveries;
  });
}
