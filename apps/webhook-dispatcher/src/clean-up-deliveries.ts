import { cleanupJobs } from '@capture/database/cleanup/cleanup-jobs';
import { runCleanupJob } from '@capture/database/cleanup/run-cleanup-job';
import type { Database } from '@capture/database/database';
import { deleteIdleReceivers, deleteOldDeliveries } from '@capture/database/deliveries/delete-old-deliveries';
import { deleteDeadDispatchers } from '@capture/database/deliveries/dispatcher-heartbeat';
import { recoverReceivers } from '@capture/database/deliveries/receivers';
import { every } from '@capture/runtime/every';
import type { Logger } from '@capture/runtime/log';

export interface CleanupDependencies {
  database: Pick<Database, 'pool'>;
  log: Logger;
  now: () => Date;
}

/**
 * Starts what finds forgotten receivers and removes logs whose time is over. Each runs in one process at a time, whichever
 * dispatcher comes first, and says what it did.
 *
 * @param wake called when something was found that is due.
 * @returns what stops them.
 */
export function startDeliveryCleanup(dependencies: CleanupDependencies, wake: () => void): () => Promise<void> {
  const { log } = dependencies;
  const stops = [
    every(cleanupJobs['forgotten receivers'].everyMs, 'finding forgotten receivers', log, async () => {
      if ((await findForgotten(dependencies)) > 0) wake();
    }),
    every(cleanupJobs['delivery logs'].everyMs, 'removing old delivery logs', log, () => removeOldLogs(dependencies)),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

/** @returns how many receivers are due that nobody knew of. */
export async function findForgotten({ database, log }: CleanupDependencies): Promise<number> {
  const found = await runCleanupJob(database.pool, 'forgotten receivers', () => recoverReceivers(database.pool));
  if (found) log.warn({ receivers: found }, 'receivers were due and nobody had been told');
  return found ?? 0;
}

export async function removeOldLogs({ database, log, now }: CleanupDependencies): Promise<void> {
  await runCleanupJob(database.pool, 'delivery logs', async () => {
    const deliveries = await deleteOldDeliveries(database.pool, now());
    if (deliveries > 0) log.info({ deliveries }, 'old delivery logs were removed');
    await deleteIdleReceivers(database.pool);
    await deleteDeadDispatchers(database.pool);
    return deliveries;
  });
}
