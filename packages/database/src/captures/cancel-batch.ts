import type pg from 'pg';
import { transaction } from '../database.ts';
import { dropPrivateOptions, htmlFileIn } from './stored-options.ts';

/**
 * Cancels a batch: items that no worker has claimed end as cancelled and their quota is returned; running items finish. A
 * batch that has ended stays as it is.
 *
 * Lock order: captures (in the order of their ids), batch, usage; the same as when a single capture ends. Scheduling waits for none
 * of them: the usage is locked by each request of the account.
 *
 * @returns the storage keys of the pages (`html`) of the items that it cancelled, which are to be removed; null if the account
 * has no such batch.
 */
export async function cancelBatch(pool: pg.Pool, accountId: string, batchId: string): Promise<string[] | null> {
  return transaction(pool, async (connection) => {
    const found = await connection.query('SELECT status FROM batch WHERE id = $1 AND account_id = $2', [
      batchId,
      accountId,
    ]);
    if (!found.rows[0]) return null;
    if (found.rows[0].status !== 'processing') return [];
    const { rows } = await connection.query<{ month: string; html: string | null }>(
      `WITH waiting AS (
         SELECT id, ${htmlFileIn('options')} AS html FROM capture
          WHERE batch_id = $1 AND status = 'queued' ORDER BY id FOR UPDATE
       )
       UPDATE capture c SET status = 'cancelled', completed_at = now(), ${dropPrivateOptions} FROM waiting
        WHERE c.id = waiting.id AND c.status = 'queued'
       RETURNING c.month, waiting.html`,
      [batchId],
    );
    await connection.query(
      `UPDATE batch SET status = 'cancelled', cancelled = cancelled + $2, completed_at = now()
        WHERE id = $1 AND status = 'processing'`,
      [batchId, rows.length],
    );
    if (rows.length > 0) {
      await connection.query('UPDATE usage SET reserved = reserved - $3 WHERE account_id = $1 AND month = $2', [
        accountId,
        rows[0]?.month,
        rows.length,
      ]);
    }
    return rows.flatMap(({ html }) => html ?? []);
  });
}
