import type pg from 'pg';
import { capturesPerRelease, unusedFiles } from '../captures/release-files.ts';
import { htmlFileIn } from '../captures/stored-options.ts';
import { outputKeysIn } from '../captures/stored-outputs.ts';
import { type Queryable, queryInIndexOrder, transaction } from '../database.ts';
import { ownedBy, ownerOrder } from '../owned-rows.ts';

/** The rows that one statement deletes. The statement takes a fraction of a second, so other transactions hardly wait. */
const chunkSize = 1_000;

/** Open captures are removed first, because clients wait for them and workers may be rendering them. */
const openStatuses = ['queued', 'processing'];
const captureStatuses = [...openStatuses, 'completed', 'failed', 'cancelled'];

/** The account's other tables. The sessions of a key are deleted with the key. */
const tables = [
  'idempotency',
  'link_render',
  'link_bound',
  'webhook_endpoint',
  'receiver',
  'usage',
  'account_turn',
  'preset',
  'api_key',
];

export interface AccountRemovalTerms {
  /** Removes those of the files that no record of another account refers to. @throws if none of the files can be removed. */
  removeFiles(keys: string[]): Promise<void>;
  /** Called with the ids of captures that had not ended. */
  onCancelled(captureIds: string[]): Promise<void>;
  /** Whether to stop; a later call removes the rest. */
  stopped(): boolean;
}

/**
 * Removes the remains of a deleted account: its records, files and keys, and finally its own row. Deletes in small statements
 * that skip locked rows, so the removal can stop at any point. A worker that still renders one of the account's captures finds no
 * row to end, as after a cancellation.
 *
 * @returns true if everything is removed; false if a row was locked or the removal was stopped.
 * @throws if the storage removes no file; the rows that name the files then still exist.
 */
export async function removeAccount(pool: pg.Pool, accountId: string, terms: AccountRemovalTerms): Promise<boolean> {
  await removeFirstFiles(pool, accountId, terms);
  await removeCaptures(pool, accountId, terms);
  await removeEmptyBatches(pool, accountId, terms);
  await removeDeliveries(pool, accountId, terms);
  for (const table of tables) {
    const statement = `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM ${table} WHERE account_id = $1 LIMIT $2 FOR UPDATE SKIP LOCKED))`;
    await removeRows(pool, accountId, statement, terms);
  }
  return !terms.stopped() && removeOwnRow(pool, accountId);
}

interface RemovedCapture {
  id: string;
  key: string | null;
  outputs: string[];
  html: string | null;
}

/** A few files are removed before any row. This shows whether the storage removes files at the moment. */
const firstFiles = 20;

async function removeFirstFiles(pool: pg.Pool, accountId: string, terms: AccountRemovalTerms): Promise<void> {
  const completed = {
    name: 'first-files',
    text: `SELECT storage_key AS key FROM capture WHERE ${ownedBy('account_id', '$1')} AND status = 'completed'
            ORDER BY ${ownerOrder('account_id', 'DESC')}, id DESC LIMIT $2`,
    values: [accountId, capturesPerRelease],
  };
  const { rows } = await transaction(pool, (connection) =>
    queryInIndexOrder<{ key: string | null }>(connection, completed),
  );
  const keys = new Set(rows.flatMap(({ key }) => key ?? []));
  if (keys.size > 0) await terms.removeFiles([...keys].slice(0, firstFiles));
}

async function removeCaptures(pool: pg.Pool, accountId: string, terms: AccountRemovalTerms): Promise<void> {
  for (const status of captureStatuses) {
    for (let removed = capturesPerRelease; removed === capturesPerRelease && !terms.stopped(); ) {
      const chunk = {
        name: 'remove-captures',
        text: `WITH chosen AS MATERIALIZED (
                 SELECT id, storage_key, outputs, ${htmlFileIn('options')} AS html FROM capture
                  WHERE ${ownedBy('account_id', '$1')} AND status = $2
                  ORDER BY ${ownerOrder('account_id', 'DESC')}, id DESC LIMIT $3 FOR UPDATE SKIP LOCKED
               )
               DELETE FROM capture c USING chosen WHERE c.id = chosen.id
               RETURNING c.id, chosen.storage_key AS key, ${outputKeysIn('chosen.outputs')} AS outputs, chosen.html`,
        values: [accountId, status, capturesPerRelease],
      };
      const { rows } = await transaction(pool, (connection) => queryInIndexOrder<RemovedCapture>(connection, chunk));
      removed = rows.length;
      if (removed > 0 && openStatuses.includes(status)) await terms.onCancelled(rows.map(({ id }) => id));
      // Cached captures share files, which are removed with the last of these captures.
      const keys = [...(await unusedFiles(pool, rows)), ...rows.flatMap(({ html }) => html ?? [])];
      if (keys.length > 0) await terms.removeFiles(keys);
    }
  }
}

/** Removes batches that have no captures left. A capture that still runs is counted in its batch, so the batch has to stay. */
async function removeEmptyBatches(pool: Queryable, accountId: string, terms: AccountRemovalTerms): Promise<void> {
  const statement = `DELETE FROM batch WHERE id = ANY (ARRAY(
         SELECT id FROM batch b WHERE account_id = $1 AND NOT EXISTS (SELECT FROM capture c WHERE c.batch_id = b.id)
          LIMIT $2 FOR UPDATE SKIP LOCKED))`;
  await removeRows(pool, accountId, statement, terms);
}

/** Removes deliveries with their attempts, then events. A `ctid` is unique only within a partition of these tables. */
async function removeDeliveries(pool: Queryable, accountId: string, terms: AccountRemovalTerms): Promise<void> {
  await removeRows(
    pool,
    accountId,
    `WITH gone AS (
       DELETE FROM delivery WHERE id = ANY (ARRAY(
         SELECT id FROM delivery WHERE account_id = $1 LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING id
     ), attempts AS (
       DELETE FROM delivery_attempt WHERE delivery_id = ANY (ARRAY(SELECT id FROM gone))
     )
     SELECT FROM gone`,
    terms,
  );
  const events = `DELETE FROM event WHERE id = ANY (ARRAY(
         SELECT id FROM event WHERE account_id = $1 LIMIT $2 FOR UPDATE SKIP LOCKED))`;
  await removeRows(pool, accountId, events, terms);
}

/** Repeats a statement that deletes one chunk of rows until it deletes less than a full chunk. */
async function removeRows(
  pool: Queryable,
  accountId: string,
  statement: string,
  { stopped }: AccountRemovalTerms,
): Promise<void> {
  for (let removed: number | null = chunkSize; removed === chunkSize && !stopped(); ) {
    ({ rowCount: removed } = await pool.query(statement, [accountId, chunkSize]));
  }
}

/** Removes the account's own row once no other row names files of the account or refers to the account. */
async function removeOwnRow(pool: pg.Pool, accountId: string): Promise<boolean> {
  return transaction(pool, async (connection) => {
    // The lock waits for requests that were admitted before the deletion and are still inserting rows.
    const own = await connection.query('SELECT FROM account WHERE id = $1 FOR UPDATE', [accountId]);
    // Another process has removed the row.
    if (own.rowCount === 0) return true;
    const { rowCount } = await connection.query(
      `DELETE FROM account WHERE id = $1 AND deleted_at IS NOT NULL
          AND NOT EXISTS (SELECT FROM capture WHERE account_id = $1)
          AND NOT EXISTS (SELECT FROM event WHERE account_id = $1)
          AND NOT EXISTS (SELECT FROM delivery WHERE account_id = $1)
          AND NOT EXISTS (SELECT FROM batch WHERE account_id = $1)
          AND NOT EXISTS (SELECT FROM account_turn WHERE account_id = $1)`,
      [accountId],
    );
    return rowCount === 1;
  });
}
