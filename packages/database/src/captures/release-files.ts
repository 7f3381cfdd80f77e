import type pg from 'pg';
import { type Queryable, transaction } from '../database.ts';
import { fileLock } from '../locks.ts';
import { outputKeysIn } from './stored-outputs.ts';

/**
 * Captures whose files one statement releases. If the process dies before they are removed, the files of so many captures have
 * no row, which the cleanup job for such files expects.
 */
export const capturesPerRelease = 500;

/**
 * Removes the files and the extracted values from a capture's record; the record stays.
 *
 * @returns the storage keys that no record uses now, to be deleted from the storage. If the process dies before that, the
 * cleanup job for files without a row finds them.
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
  /** Captures whose file was released. */
  captures: number;
  /** As of `releaseFile`: none where other captures still use the files. */
  keys: string[];
}

/** Releases the files of the `limit` captures at most that expired first. */
export async function releaseExpiredFiles(pool: pg.Pool, at: Date, limit: number): Promise<ReleasedFiles> {
  return release(
    pool,
    `SELECT id FROM capture WHERE storage_key IS NOT NULL AND expires_at <= $1 ORDER BY expires_at LIMIT $2`,
    [at, limit],
  );
}

/**
 * Some files that only expired captures use, from those that expired first and last. They may be removed before their rows are
 * released: whether that succeeds shows whether the storage removes anything now.
 *
 * @param at earlier than any transaction in progress began: one of then may reuse a file.
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
 * The storage keys of rows that are gone or released, as far as no record uses them. Captures that share a file share its
 * further outputs too.
 *
 * @param rows with the keys of the outputs, as `outputKeysIn` has them.
 */
export async function unusedFiles(
  database: Queryable,
  rows: readonly { key: string | null; outputs: readonly string[] }[],
): Promise<string[]> {
  const outputsOf = new Map(rows.flatMap(({ key, outputs }) => (key === null ? [] : [[key, outputs] as const])));
  if (outputsOf.size === 0) return [];
  const unused = await withoutRecord(database, [...outputsOf.keys()]);
  return unused.flatMap((key) => [key, ...(outputsOf.get(key) ?? [])]);
}

/** Returns those of the keys that no record uses. */
export async function withoutRecord(database: Queryable, keys: readonly string[]): Promise<string[]> {
  const { rows } = await database.query('SELECT DISTINCT storage_key AS key FROM capture WHERE storage_key = ANY($1)', [
    keys,
  ]);
  const used = new Set(rows.map((row) => row.key));
  return keys.filter((key) => !used.has(key));
}
