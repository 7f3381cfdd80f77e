import { captureOfHtml, isOwnKey, ownFileKey } from './file-key.ts';
import type { Storage } from './storage.ts';

/** The database's records of files. */
export interface FileRecords {
  /** Returns the keys that no row names. */
  withoutRecord(keys: readonly string[]): Promise<string[]>;
  /** Returns the statuses of captures, without the captures that have no row. */
  findStatuses(captureIds: readonly string[]): Promise<readonly { id: string; status: string }[]>;
}

/** A file is written before its row names it. A capture takes two minutes at most, so after this time the row is missing. */
const orphanAfterMs = 3_600_000;

const filesPerStatement = 500;

/** The files of one search, which bounds its memory to about 10 MB. Once they are removed, the next search finds others. */
const orphansAtMost = 100_000;

export interface FoundOrphans {
  /** The number of files whose key has our form. */
  checked: number;
  /** The approximate number of captures that the files belong to. */
  captures: number;
  /** The number of captures whose files no row names. */
  orphaned: number;
  /** The keys of up to 100,000 files to remove, including submitted pages (`html`) whose capture has ended. */
  removable: string[];
}

/**
 * Finds files that no row names. Considers only files whose key has our form, because all others belong to other programs.
 *
 * @param at the time of the database. Younger files may still get their row.
 */
export async function findOrphans(
  storage: Pick<Storage, 'list'>,
  records: FileRecords,
  at: Date,
  olderThanMs: number = orphanAfterMs,
): Promise<FoundOrphans> {
  const found: FoundOrphans = { checked: 0, captures: 0, orphaned: 0, removable: [] };
  const check = async (keys: readonly string[]) => {
    const html = await checkHtml(
      records,
      keys.filter((key) => captureOfHtml(key) !== null),
    );
    const files = keys.filter((key) => captureOfHtml(key) === null);
    const named = [...new Set(files.map(ownFileKey))];
    const unnamed = new Set(await records.withoutRecord(named));
    const orphans = [...html.orphans, ...files.filter((key) => unnamed.has(ownFileKey(key)))];
    found.checked += keys.length;
    found.captures += new Set(keys.map(ownFileKey)).size;
    found.orphaned += new Set(orphans.map(ownFileKey)).size;
    found.removable.push(...[...orphans, ...html.ended].slice(0, orphansAtMost - found.removable.length));
  };
  let keys: string[] = [];
  for await (const key of storage.list(new Date(at.getTime() - olderThanMs))) {
    if (!isOwnKey(key)) continue;
    keys.push(key);
    if (keys.length < filesPerStatement) continue;
    await check(keys);
    keys = [];
  }
  await check(keys);
  return found;
}

/** Finds the pages of ended captures, which a failed removal left. Their rows prove that database and store belong together. */
async function checkHtml(
  records: FileRecords,
  keys: readonly string[],
): Promise<{ orphans: string[]; ended: string[] }> {
  if (keys.length === 0) return { orphans: [], ended: [] };
  const captureByKey = new Map(keys.map((key) => [key, captureOfHtml(key) ?? '']));
  const statuses = new Map(
    (await records.findStatuses([...captureByKey.values()])).map(({ id, status }) => [id, status]),
  );
  const findStatus = (key: string) => statuses.get(captureByKey.get(key) ?? '');
  const isOpen = (key: string) => findStatus(key) === 'queued' || findStatus(key) === 'processing';
  return {
    orphans: keys.filter((key) => findStatus(key) === undefined),
    ended: keys.filter((key) => findStatus(key) !== undefined && !isOpen(key)),
  };
}
