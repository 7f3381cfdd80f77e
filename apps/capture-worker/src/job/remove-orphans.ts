import { findStatuses } from '@capture/database/captures/find-capture';
import { withoutRecord } from '@capture/database/captures/release-files';
import { readStoreId } from '@capture/database/cleanup/deployment-store';
import { runCleanupJob } from '@capture/database/cleanup/run-cleanup-job';
import type { Queryable } from '@capture/database/database';
import { captureOfHtml, isOwnKey, ownFileKey } from '@capture/storage/file-key';
import { removeFiles } from '@capture/storage/many-files';
import { markStore, readStoreOwner } from '@capture/storage/store-owner';
import { type CleanupDependencies, filesPerStatement } from './cleanup-dependencies.ts';

/** A file is written before its row names it. A capture takes two minutes at most; this is many times that. */
const orphanAfterMs = 3_600_000;

/**
 * Lost processes leave a few files without a row. If more than one file in 20 has none, the store or the database is more
 * likely the wrong one, or has lost data.
 */
const orphanShareAtMost = 0.05;

/** A lost process leaves as many files as one statement releases. In a small store that is at most every second one. */
const orphansOfLostProcess = filesPerStatement;
const orphanShareOfFew = 0.5;

/** Files that one run removes, which bounds its memory to some 10 MB. The next run removes the rest. */
const orphansOfRun = 100_000;

/** Orphans that the error names. */
const examplesShown = 5;

/**
 * Removes files that no row names, and submitted pages (`html`) whose capture has ended. Only files whose key has our own
 * form, and only in a store that is marked as this deployment's. A store without a marker is marked if it is empty, or
 * contains files that rows of this database name.
 *
 * @throws {Error} having removed nothing, if the store belongs to another deployment or too many files have no row.
 */
export async function removeOrphans(
  dependencies: CleanupDependencies,
  olderThanMs: number = orphanAfterMs,
): Promise<void> {
  const { database, storage, log } = dependencies;
  await runCleanupJob(database.pool, 'files without a row', async () => {
    const storeId = await readStoreId(database.pool);
    try {
      const owner = await readStoreOwner(storage);
      if (owner !== null && owner !== storeId) {
        throw new Error(`the store belongs to another deployment (${owner}); this one is ${storeId}`);
      }
      const found = await findOrphans(dependencies, olderThanMs);
      checkShare(found, owner !== null);
      if (owner === null) await markStore(storage, storeId);
      const { removed, error } = await removeFiles(storage, found.orphans);
      if (error) throw error;
      if (removed > 0) log.info({ job: 'files without a row', removed }, 'files without a row were removed');
      return removed;
    } catch (error) {
      log.error({ err: error }, 'no files without a row are removed until this is resolved');
      throw error;
    }
  });
}

interface FoundFiles {
  /** Files of our own form. */
  checked: number;
  /** Those of them that no row names. */
  orphaned: number;
  /** Keys of files to remove, `orphansOfRun` at most. */
  orphans: string[];
}

async function findOrphans({ database, storage }: CleanupDependencies, olderThanMs: number): Promise<FoundFiles> {
  const found: FoundFiles = { checked: 0, orphaned: 0, orphans: [] };
  const check = async (keys: readonly string[]) => {
    const html = await checkHtml(
      database.pool,
      keys.filter((key) => captureOfHtml(key) !== null),
    );
    const files = keys.filter((key) => captureOfHtml(key) === null);
    const named = [...new Set(files.map(ownFileKey))];
    const unnamed = new Set(await withoutRecord(database.pool, named));
    const orphans = [...html.orphans, ...files.filter((key) => unnamed.has(ownFileKey(key)))];
    found.checked += keys.length;
    found.orphaned += orphans.length;
    found.orphans.push(...[...orphans, ...html.ended].slice(0, orphansOfRun - found.orphans.length));
  };
  let keys: string[] = [];
  for await (const key of storage.list(new Date(Date.now() - olderThanMs))) {
    if (!isOwnKey(key)) continue;
    keys.push(key);
    if (keys.length < filesPerStatement) continue;
    await check(keys);
    keys = [];
  }
  await check(keys);
  return found;
}

/** Pages whose capture has ended were left by a removal that failed: their rows prove that database and store belong together. */
async function checkHtml(pool: Queryable, keys: readonly string[]): Promise<{ orphans: string[]; ended: string[] }> {
  if (keys.length === 0) return { orphans: [], ended: [] };
  const captureOf = new Map(keys.map((key) => [key, captureOfHtml(key) ?? '']));
  const statuses = new Map((await findStatuses(pool, [...captureOf.values()])).map(({ id, status }) => [id, status]));
  const statusOf = (key: string) => statuses.get(captureOf.get(key) ?? '');
  const isOpen = (key: string) => statusOf(key) === 'queued' || statusOf(key) === 'processing';
  return {
    orphans: keys.filter((key) => statusOf(key) === undefined),
    ended: keys.filter((key) => statusOf(key) !== undefined && !isOpen(key)),
  };
}

function checkShare({ checked, orphaned, orphans }: FoundFiles, marked: boolean): void {
  const ofLostProcess = Math.min(orphansOfLostProcess, checked * orphanShareOfFew);
  const atMost = Math.max(ofLostProcess, checked * orphanShareAtMost);
  const isStrange = orphaned > 0 && orphaned === checked && !marked;
  if (orphaned <= atMost && !isStrange) return;
  const examples = orphans.slice(0, examplesShown).join(', ');
  throw new Error(
    `${orphaned} of ${checked} files in the store have no row, too many to be left by lost processes: ${examples}`,
  );
}
