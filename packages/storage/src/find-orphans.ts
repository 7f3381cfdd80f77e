import { captureOfHtml, isOwnKey, ownFileKey } from './file-key.ts';
import type { Storage } from './storage.ts';

/** What the database knows of files. */
export interface FileRecords {
  /** Those of the keys that no row names. */
  withoutRecord(keys: readonly string[]): Promise<string[]>;
  /** The statuses of captures; without those that have no row. */
  findStatuses(captureIds: readonly string[]): Promise<readonly { id: string; status: string }[]>;
}

/** A file is written before its row names it. A capture takes two minutes at most; this is many times that. */
const orphanAfterMs = 3_600_000;

/** Files that one statement checks. */
const filesPerStatement = 500;

/** Files of one search, which bounds its memory to some 10 MB. Once they are removed, the next search finds others. */
const orphansAtMost = 100_000;

export interface FoundOrphans {
  /** Files of our own form. */
  checked: number;
  /** The captures that they belong to, about. */
  captures: number;
  /** Those of the captures whose files no row names. */
  orphaned: number;
  /** Keys of files to remove, 100,000 at most: also submitted pages (`html`) whose capture has ended. */
  removable: string[];
}

/**
 * Finds files that no row names. Only those whose key has our own form: all others belong to someone else.
 *
 * @param at the time of the database. Younger files may get their row yet.
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

/** Pages whose capture has ended were left by a removal that failed: their rows prove that database and store belong together. */
async function checkHtml(
  records: FileRecords,
  keys: readonly string[],
): Promise<{ orphans: string[]; ended: string[] }> {
  if (keys.length === 0) return { orphans: [], ended: [] };
  const captureOf = new Map(keys.map((key) => [key, captureOfHtml(key) ?? '']));
  const statuses = new Map((await records.findStatuses([...captureOf.values()])).map(({ id, status }) => [id, status]));
  const statusOf = (key: string) => statuses.get(captureOf.get(key) ?? '');
  const isOpen = (key: string) => statusOf(key) === 'queued' || statusOf(key) === 'processing';
  return {
    orphans: keys.filter((key) => statusOf(key) === undefined),
    ended: keys.filter((key) => statusOf(key) !== undefined && !isOpen(key)),
  };
}
