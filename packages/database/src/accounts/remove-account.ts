import type pg from 'pg';
import { withoutRecord } from '../captures/release-files.ts';
import { type Queryable, transaction } from '../database.ts';
import { ownedBy, ownerOrder } from '../owned-rows.ts';

/** Rows that one statement removes: a fraction of a second's work, so that nothing waits for it. */
const atOnce = 1_000;

/** What is open first: somebody waits for it, and a worker may be at it. */
const openStatuses = ['queued', 'processing'];
const captureStatuses = [...openStatuses, 'completed', 'failed', 'cancelled'];

/**
 * What an account has beside its captures, each after what refers to it: attempts go with their delivery, sessions with
 * their key.
 */
const tables = ['delivery', 'event', 'idempotency', 'webhook_endpoint', 'receiver', 'usage', 'api_key'];

export interface AccountRemovalTerms {
  /** Removes files that no record names any more. */
  removeFiles(keys: string[]): Promise<void>;
  /** Told of captures that had not ended. */
  onCancelled(captureIds: string[]): Promise<void>;
  /** Whether to break off; what is left is for another time. */
  stopped(): boolean;
}

/**
 * Removes what a deleted account has left: its records, files, keys and at last its own row. In small statements that
 * leave alone what somebody is just changing, so that it can be broken off anywhere and a worker that still renders one
 * of its captures finds nothing to end, as after a cancellation.
 *
 * @returns whether all of it is gone; else something was locked, or it was broken off.
 */
export async function removeAccount(pool: pg.Pool, accountId: string, terms: AccountRemovalTerms): Promise<boolean> {
  await removeCaptures(pool, accountId, terms);
  await removeEmptyBatches(pool, accountId, terms);
  for (const table of tables) await removeRows(pool, accountId, table, terms);
  return !terms.stopped() && removeLast(pool, accountId);
}

async function removeCaptures(pool: Queryable, accountId: string, terms: AccountRemovalTerms): Promise<void> {
  for (const status of captureStatuses) {
    for (let removed = atOnce; removed === atOnce && !terms.stopped(); ) {
      const { rows } = await pool.query<{ id: string; key: string | null }>({
        name: 'remove-captures',
        text: `WITH chosen AS MATERIALIZED (
                 SELECT id, storage_key FROM capture WHERE ${ownedBy('account_id', '$1')} AND status = $2
                  ORDER BY ${ownerOrder('account_id', 'DESC')}, id DESC LIMIT $3 FOR UPDATE SKIP LOCKED
               )
               DELETE FROM capture c USING chosen WHERE c.id = chosen.id RETURNING c.id, chosen.storage_key AS key`,
        values: [accountId, status, atOnce],
      });
      removed = rows.length;
      if (removed > 0 && openStatuses.includes(status)) await terms.onCancelled(rows.map(({ id }) => id));
      const keys = new Set(rows.flatMap(({ key }) => (key === null ? [] : [key])));
      // Captures that were given again share a file, which goes with the last of them.
      if (keys.size > 0) await terms.removeFiles(await withoutRecord(pool, [...keys]));
    }
  }
}

/** Only those without captures: a batch takes its captures with it, and their files would be left behind. */
async function removeEmptyBatches(pool: Queryable, accountId: string, terms: AccountRemovalTerms): Promise<void> {
  for (let removed = atOnce; removed === atOnce && !terms.stopped(); ) {
    const { rowCount } = await pool.query(
      `DELETE FROM batch WHERE id = ANY (ARRAY(
         SELECT id FROM batch b WHERE account_id = $1 AND NOT EXISTS (SELECT FROM capture c WHERE c.batch_id = b.id)
          LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [accountId, atOnce],
    );
    removed = rowCount ?? 0;
  }
}

async function removeRows(
  pool: Queryable,
  accountId: string,
  table: string,
  { stopped }: AccountRemovalTerms,
): Promise<void> {
  for (let removed = atOnce; removed === atOnce && !stopped(); ) {
    const { rowCount } = await pool.query(
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM ${table} WHERE account_id = $1 LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [accountId, atOnce],
    );
    removed = rowCount ?? 0;
  }
}

/** The account's own row, when nothing is left that would go without its files, or stay without its account. */
async function removeLast(pool: pg.Pool, accountId: string): Promise<boolean> {
  return transaction(pool, async (connection) => {
    // Waits for requests that were let in before the deletion and are just inserting something.
    await connection.query('SELECT FROM account WHERE id = $1 AND deleted_at IS NOT NULL FOR UPDATE', [accountId]);
    const { rowCount } = await connection.query(
      `DELETE FROM account WHERE id = $1 AND deleted_at IS NOT NULL
          AND NOT EXISTS (SELECT FROM capture WHERE account_id = $1)
          AND NOT EXISTS (SELECT FROM event WHERE account_id = $1)
          AND NOT EXISTS (SELECT FROM delivery WHERE account_id = $1)
          AND NOT EXISTS (SELECT FROM batch WHERE account_id = $1)`,
      [accountId],
    );
    return rowCount === 1;
  });
}
