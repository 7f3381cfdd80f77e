import { findStatuses } from '@capture/database/captures/find-capture';
import { capturesPerRelease, withoutRecord } from '@capture/database/captures/release-files';
import { readStoreId } from '@capture/database/cleanup/deployment-store';
import { runCleanupJob } from '@capture/database/cleanup/run-cleanup-job';
import { type FoundOrphans, findOrphans } from '@capture/storage/find-orphans';
import { removeFiles } from '@capture/storage/many-files';
import { markStore, readStoreOwner } from '@capture/storage/store-owner';
import type { CleanupDependencies } from './cleanup-dependencies.ts';

/**
 * Lost processes leave the files of a few captures without a row. If more than one in 20 captures has none, the store or the
 * database is more likely the wrong one, or has lost data.
 */
const orphanShareAtMost = 0.05;

/** A lost process leaves the files of as many captures as one statement releases: at most half of a small store. */
const orphansOfLostProcess = capturesPerRelease;
const orphanShareOfFew = 0.5;

/** Orphans that the error names. */
const examplesShown = 5;

/**
 * Removes files that no row names, and submitted pages (`html`) whose capture has ended. Touches only files whose key has our
 * own form, in a store that is marked as this deployment's. A store without a marker is marked if it is empty, or contains
 * files that rows of this database name.
 *
 * @throws {Error} having removed nothing, if the store belongs to another deployment or too many files have no row.
 */
export async function removeOrphans(dependencies: CleanupDependencies, olderThanMs?: number): Promise<void> {
  const { database, storage, log } = dependencies;
  await runCleanupJob(database.pool, 'files without a row', async (at) => {
    const storeId = await readStoreId(database.pool);
    try {
      const owner = await readStoreOwner(storage);
      if (owner !== null && owner !== storeId) {
        throw new Error(`the store belongs to another deployment (${owner}); this one is ${storeId}`);
      }
      const records = {
        withoutRecord: (keys: readonly string[]) => withoutRecord(database.pool, keys),
        findStatuses: (ids: readonly string[]) => findStatuses(database.pool, ids),
      };
      const found = await findOrphans(storage, records, at, olderThanMs);
      checkShare(found, owner !== null);
      if (owner === null) await markStore(storage, storeId);
      const { removed, error } = await removeFiles(storage, found.removable);
      if (error) throw error;
      if (removed > 0) log.info({ job: 'files without a row', removed }, 'files without a row were removed');
      return removed;
    } catch (error) {
      log.error({ err: error }, 'no files without a row are removed until this is resolved');
      throw error;
    }
  });
}

function checkShare({ captures, orphaned, removable }: FoundOrphans, marked: boolean): void {
  const ofLostProcess = Math.min(orphansOfLostProcess, captures * orphanShareOfFew);
  const atMost = Math.max(ofLostProcess, captures * orphanShareAtMost);
  const isStrange = orphaned > 0 && orphaned === captures && !marked;
  if (orphaned <= atMost && !isStrange) return;
  const examples = removable.slice(0, examplesShown).join(', ');
  throw new Error(
    `the files of ${orphaned} of ${captures} captures in the store have no row, too many to be left by lost processes; \`npm run ops -- files orphaned\` lists them: ${examples}`,
  );
}
