import { dropHtmlFromRows } from '@capture/database/captures/drop-html';
import { capturesPerRelease, findExpiredFiles, releaseExpiredFiles } from '@capture/database/captures/release-files';
import { deleteDeadWorkers } from '@capture/database/captures/worker-heartbeat';
import { cleanupJobs } from '@capture/database/cleanup/cleanup-jobs';
import { runCleanupJob } from '@capture/database/cleanup/run-cleanup-job';
import { every } from '@capture/runtime/service/every';
import { removeCaptureFiles } from '@capture/storage/many-files';
import type { CleanupDependencies } from './cleanup-dependencies.ts';
import { removeOrphans } from './remove-orphans.ts';

/** Files that a run removes first, and so shows whether the storage is available. */
const firstFiles = 20;

/** Longer than a transaction takes, milliseconds: a transaction that began before a file expired may still reuse the file. */
const transactionMs = 30_000;

/**
 * Starts the cleanup jobs for expired files, for files that no row names, and for pages in old rows. Each job runs in one
 * worker at a time and logs what it removed.
 *
 * @returns a function that stops the jobs.
 */
export function startFileCleanup(options: CleanupDependencies): () => Promise<void> {
  let stopping = false;
  const dependencies = { ...options, stopping: () => stopping };
  const { log } = dependencies;
  const stops = [
    every(cleanupJobs['expired files'].everyMs, 'removing expired files', log, () => removeExpiredFiles(dependencies)),
    every(cleanupJobs['files without a row'].everyMs, 'removing files without a row', log, () =>
      removeOrphans(dependencies),
    ),
    every(cleanupJobs['html in rows'].everyMs, 'dropping html from rows', log, async () => {
      const { pool } = dependencies.database;
      await runCleanupJob(pool, 'html in rows', () => dropHtmlFromRows(pool, () => !stopping));
    }),
  ];
  return async () => {
    stopping = true;
    await Promise.all(stops.map((stop) => stop()));
  };
}

/**
 * Releases and removes expired files until none is left. A file that cannot be removed is left to the cleanup of files without
 * a row. If no file can be removed, all rows keep their files: hours without storage would otherwise leave more files without a
 * row than that cleanup dares to remove.
 */
export async function removeExpiredFiles(dependencies: CleanupDependencies): Promise<void> {
  const { database, storage, log, stopping = () => false } = dependencies;
  await runCleanupJob(database.pool, 'expired files', async (now) => {
    const at = new Date(now.getTime() - transactionMs);
    const first = await removeCaptureFiles(storage, await findExpiredFiles(database.pool, at, firstFiles));
    if (first.error && first.removed === 0) throw first.error;
    let removed = 0;
    let failure: Error | null = null;
    for (;;) {
      const { captures, keys } = await releaseExpiredFiles(database.pool, at, capturesPerRelease);
      const result = await removeCaptureFiles(storage, keys);
      removed += result.removed;
      failure ??= result.error;
      const isUnavailable = result.error !== null && result.removed === 0;
      if (captures < capturesPerRelease || isUnavailable || stopping()) break;
    }
    if (removed > 0) log.info({ job: 'expired files', removed }, 'expired files were removed');
    await deleteDeadWorkers(database.pool);
    if (failure) throw failure;
    return removed;
  });
}
