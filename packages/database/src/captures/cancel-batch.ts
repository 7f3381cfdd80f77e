import type pg from 'pg';
import { type Queryable, transaction } from '../database.ts';
import { dropPrivateOptions, htmlFileIn } from './stored-options.ts';

/** The items that one transaction cancels; it takes at most half a second. */
const sliceSize = 1_000;

interface Cancelled {
  count: number;
  html: string[];
}

/**
 * Cancels a batch: items that no worker has claimed end as cancelled and return their quota, while claimed items finish. A batch
 * that has ended does not change.
 *
 * Cancels in slices, and the last slice ends the batch. If the process dies before the last slice, a repeated call cancels the
 * rest.
 *
 * @returns the number of cancelled items, and the storage keys of their submitted pages (`html`), which the caller has to remove;
 * null if the account has no such batch.
 */
export async function cancelBatch(
  pool: pg.Pool,
  accountId: string,
  batchId: string,
  size = sliceSize,
): Promise<Cancelled | null> {
  const { rows } = await pool.query('SELECT total FROM batch WHERE id = $1 AND account_id = $2', [batchId, accountId]);
  if (!rows[0]) return null;
  const all: Cancelled = { count: 0, html: [] };
  for (let from = 0; from < rows[0].total; from += size) {
    const slice = { accountId, batchId, from, to: from + size, isLast: from + size >= rows[0].total };
    const cancelled = await transaction(pool, (connection) => cancelSlice(connection, slice));
    if (cancelled === null) break;
    all.count += cancelled.count;
    all.html.push(...cancelled.html);
  }
  return all;
}

/**
 * Cancels the items whose index is in a range.
 *
 * Lock order: captures (in the order of their ids), batch, usage, as when a single capture ends. Scheduling waits for none of
 * these locks, because each request of the account locks its usage.
 *
 * @returns null if the batch has ended.
 */
async function cancelSlice(
  connection: Queryable,
  slice: { accountId: string; batchId: string; from: number; to: number; isLast: boolean },
): Promise<Cancelled | null> {
  const { accountId, batchId, from, to, isLast } = slice;
  const found = await connection.query('SELECT status FROM batch WHERE id = $1', [batchId]);
  if (found.rows[0]?.status !== 'processing') return null;
  const cancelled = await connection.query<{ month: string | null; count: number; html: string[] }>(
    // The subqueries look each item up by its id. For a join, while the table's statistics do not yet know the waiting captures,
    // the planner would read all waiting captures of all accounts for each item. The range of ids selects the items' partitions.
    `WITH waiting AS MATERIALIZED (
       SELECT id, ${htmlFileIn('options')} AS html FROM capture
        WHERE batch_id = $1 AND batch_index >= $2 AND batch_index < $3 AND status = 'queued' ORDER BY id FOR UPDATE
     ), cancelled AS (
       UPDATE capture SET status = 'cancelled', completed_at = now(), ${dropPrivateOptions}
        WHERE id = ANY (ARRAY(SELECT id FROM waiting)) AND status = 'queued'
          AND id BETWEEN (SELECT min(id) FROM waiting) AND (SELECT max(id) FROM waiting)
       RETURNING month
     )
     SELECT max(month) AS month, count(*)::int AS count, ARRAY(SELECT html FROM waiting WHERE html IS NOT NULL) AS html
       FROM cancelled`,
    [batchId, from, to],
  );
  const { month, count, html } = cancelled.rows[0]!;
  const ends = '($3 OR succeeded + failed + cancelled + $2 = total)';
  await connection.query(
    // If no item is open, this slice ends the batch: the process may die before it reaches another slice.
    `UPDATE batch SET cancelled = cancelled + $2, status = CASE WHEN ${ends} THEN 'cancelled' ELSE status END,
                      completed_at = CASE WHEN ${ends} THEN now() ELSE completed_at END
      WHERE id = $1 AND status = 'processing'`,
    [batchId, count, isLast],
  );
  if (count > 0) {
    await connection.query('UPDATE usage SET reserved = reserved - $3 WHERE account_id = $1 AND month = $2', [
      accountId,
      month,
      count,
    ]);
  }
  return { count, html };
}
