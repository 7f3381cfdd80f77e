import type pg from 'pg';
import { type Queryable, transaction } from '../database.ts';
import { fileLock } from '../locks.ts';
import { outputKeysIn } from './stored-outputs.ts';

/**
 * The captures whose files one statement releases. If the process dies before it removes the files, this many captures leave
 * files without a record. The cleanup job for orphaned files expects this number.
 */
export const capturesPerRelease = 500;

/**
 * Removes the files and the extracted values from a capture's record, but keeps the record.
 *
 * @returns the storage keys that no record uses any longer; the caller deletes these files. If the process dies before that, the
 * cleanup job for orphaned files finds them.
 */
export async function releaseFile(pool: pg.Pool, accountId: string, captureId: string): Promise<string[]> {
  const { keys } = await release(
    pool,
    `SELECT id FROM capture WHERE id = $1 AND account_id = $2 AND storage_key IS NOT NULL`,
    [captureId, accountId],
  );
  return keys;
}

export interface ReleasedFiles {
  /** The number of captures whose file was released. */
  captures: number;
  /** The storage keys that no record uses any longer, as in `releaseFile`. */
  keys: string[];
}

/** Releases the files of up to `limit` captures, those that expired first. */
export async function releaseExpiredFiles(pool: pg.Pool, at: Date, limit: number): Promise<ReleasedFiles> {
  return release(
    pool,
    `SELECT id FROM capture WHERE storage_key IS NOT NULL AND expires_at <= $1 ORDER BY expires_at LIMIT $2`,
    [at, limit],
  );
}

/**
 * Finds some files that only expired captures use, from both ends of the order of expiry. The caller may remove these files
 * before it releases their rows, to see whether the storage removes files at the moment.
 *
 * @param at must be earlier than the start of every transaction in progress, because such a transaction may reuse a file.
 */
export async function findExpiredFiles(database: Queryable, at: Date, limit: number): Promise<string[]> {
  const expired = (order: 'ASC' | 'DESC') =>
    `SELECT storage_key FROM capture WHERE storage_key IS NOT NULL AND expires_at <= $1 ORDER BY expires_at ${order} LIMIT $2`;
  const { rows } = await database.query(
    `SELECT DISTINCT e.storage_key AS key FROM ((${expired('ASC')}) UNION ALL (${expired('DESC')})) AS e
      WHERE NOT EXISTS (SELECT FROM capture c WHERE c.storage_key = e.storage_key AND c.expires_at > $1)`,
    [at, Math.ceil(limit / 2)],
  );
  return rows.map(({ key }) => key);
}

async function release(pool: pg.Pool, selection: string, values: unknown[]): Promise<ReleasedFiles> {
  return transaction(pool, async (connection) => {
    await connection.query('SELECT pg_advisory_xact_lock($1)', [fileLock]);
    const { rows } = await connection.query(
      `WITH selected AS (SELECT id, storage_key, outputs FROM capture WHERE id = ANY (ARRAY(${selection})) FOR UPDATE)
       UPDATE capture c SET storage_key = NULL, extracted = NULL, outputs = NULL FROM selected
        WHERE c.id = selected.id AND c.id = ANY (ARRAY(SELECT id FROM selected))
       RETURNING selected.storage_key AS key, ${outputKeysIn('selected.outputs')} AS outputs`,
      values,
    );
    return { captures: rows.length, keys: await unusedFiles(connection, rows) };
  });
}

/**
 * Selects the storage keys of removed or released rows that no record uses. Captures that share a file share its further outputs
 * too.
 *
 * @param rows include the keys of the outputs, as selected by `outputKeysIn`.
 */
export async function unusedFiles(
  database: Queryable,
  rows: readonly { key: string | null; outputs: readonly string[] }[],
): Promise<string[]> {
  const outputsByKey = new Map(rows.flatMap(({ key, outputs }) => (key === null ? [] : [[key, outputs] as const])));
  if (outputsByKey.size === 0) return [];
  const unused = await withoutRecord(database, [...outputsByKey.keys()]);
  return unused.flatMap((key) => [key, ...(outputsByKey.get(key) ?? [])]);
}

/** Returns the keys that no record uses. */
export async function withoutRecord(database: Queryable, keys: readonly string[]): Promise<string[]> {
  const { rows } = await database.query('SELECT DISTINCT storage_key AS key FROM capture WHERE storage_key = ANY($1)', [
    keys,
  ]);
  const used = new Set(rows.map((row) => row.key));
  return keys.filter((key) => !used.has(key));
}
