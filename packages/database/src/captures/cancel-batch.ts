import type pg from 'pg';
import { type Queryable, transaction } from '../database.ts';
import { dropPrivateOptions, htmlFileIn } from './stored-options.ts';

/** Items of one transaction: half a second at most. */
const sliceSize = 1_000;

interface Cancelled {
  count: number;
  html: string[];
}

/**
 * Cancels a batch: items that no worker has claimed end as cancelled and their quota is returned; running items finish. A
 * batch that has ended stays as it is.
 *
 * Works in slices. The batch ends with the last one; if that is never reached, a repeated call cancels the rest.
 *
 * @returns how many items it cancelled, and the storage keys of their pages (`html`), which are to be removed; null if the
 * account has no such batch.
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
 * Lock order: captures (in the order of their ids), batch, usage; the same as when a single capture ends. Scheduling waits for none
 * of them: the usage is locked by each request of the account.
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
    // The items are updated by their ids, one by one. For a join with them, the planner would read all waiting captures of all
    // accounts for each item, until the statistics of the table show how many wait. The range of ids names their partitions.
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
    // Without an open item it ends at once: if a further slice were never reached, nothing else would end it.
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
