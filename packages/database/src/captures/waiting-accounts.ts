import type pg from 'pg';
import { preferIndexOrder, type Queryable } from '../database.ts';

/** SQL: whether a capture waits for scheduling. */
const waits = `c.status = 'queued' AND c.enqueued_at IS NULL`;

/**
 * SQL that adds the accounts of new waiting captures to the line, in the statement that inserts the captures. Each capture
 * increments `changes`, so that a scheduling turn that does not see the capture yet does not delete the row. The rows are locked
 * in the order of their keys, after `usage`.
 *
 * @param rows a table or CTE with a column `account_id`.
 */
export const noteWaiting = (rows: string) => `
  INSERT INTO waiting_account (account_id, waiting_since)
  SELECT account_id, clock_timestamp() FROM ${rows} GROUP BY account_id ORDER BY account_id
  ON CONFLICT (account_id) DO UPDATE SET changes = waiting_account.changes + 1`;

/** SQL: the version of a row in the line. It changes when captures are added, and when the row is deleted and inserted again. */
export const rowVersion = `changes || ' ' || waiting_since`;

/** An account that was read without waiting captures, and the version of its row at that time. */
export interface EmptyAccount {
  accountId: string;
  version: string;
}

/**
 * Moves scheduled accounts to the end of the line after a scheduling turn, and removes accounts that were read without waiting
 * captures, unless captures were added meanwhile. It is one statement without a transaction, so that a process that freezes
 * blocks no new captures. It waits for no lock: a skipped row keeps its place until the next turn. It reads no captures, because
 * with old statistics the planner would read all captures for each account. A capture that `recoverCaptures` returns at that
 * moment does not change the row's version; the next run adds its account again.
 */
export async function moveInLine(
  database: Queryable,
  { scheduled, empty }: { scheduled: readonly string[]; empty: readonly EmptyAccount[] },
): Promise<void> {
  if (scheduled.length === 0 && empty.length === 0) return;
  await database.query({
    name: 'move-in-line',
    text: `WITH free AS MATERIALIZED (
             SELECT account_id, ${rowVersion} AS version FROM waiting_account
              WHERE account_id = ANY($1) OR account_id = ANY($2)
                FOR UPDATE SKIP LOCKED
           ), moved AS (
             UPDATE waiting_account w SET waiting_since = clock_timestamp()
               FROM free WHERE w.account_id = free.account_id AND w.account_id = ANY($1)
           )
           DELETE FROM waiting_account w
            USING free JOIN unnest($2::text[], $3::text[]) AS empty (account_id, version) USING (account_id, version)
            WHERE w.account_id = free.account_id AND w.account_id <> ALL($1)`,
    values: [scheduled, empty.map(({ accountId }) => accountId), empty.map(({ version }) => version)],
  });
}

const addAccounts = `
  WITH RECURSIVE step (account_id) AS (
    (SELECT c.account_id FROM capture c WHERE ${waits} ORDER BY c.account_id LIMIT 1)
    UNION ALL
    SELECT next.account_id FROM step, LATERAL (
      SELECT c.account_id FROM capture c WHERE ${waits} AND c.account_id > step.account_id
       ORDER BY c.account_id LIMIT 1) next
  )
  INSERT INTO waiting_account (account_id, waiting_since)
  SELECT account_id, clock_timestamp() FROM step
   WHERE NOT EXISTS (SELECT FROM waiting_account w WHERE w.account_id = step.account_id)
   ORDER BY account_id
  ON CONFLICT (account_id) DO NOTHING`;

/**
 * Adds accounts that have waiting captures but no row in the line, because their captures were returned to waiting or inserted by
 * a previous version. Steps from one account to the next on the index of waiting captures.
 *
 * @returns the number of added accounts.
 */
export async function recoverWaitingAccounts(database: Queryable): Promise<number> {
  // Statements sent in one message are one transaction, so a process that freezes leaves no locks.
  const results = await database.query(`${preferIndexOrder};${addAccounts}`);
  const [, inserted] = results as unknown as [pg.QueryResult, pg.QueryResult];
  return inserted.rowCount ?? 0;
}
