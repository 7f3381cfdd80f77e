import pg from 'pg';
import { preferIndexOrder, type Queryable } from '../database.ts';

/** The condition of a capture that waits for its turn. */
const waits = `c.status = 'queued' AND c.enqueued_at IS NULL`;

/**
 * SQL that notes the accounts of new waiting captures, in the statement that inserts them. Each adds to `changes`, so that
 * the row is not deleted by a scheduling turn that does not see the capture yet. The rows are locked in the order of their
 * keys and after `usage`.
 *
 * @param rows a table or CTE with a column `account_id`.
 */
export const noteWaiting = (rows: string) => `
  INSERT INTO waiting_account (account_id, waiting_since)
  SELECT account_id, clock_timestamp() FROM ${rows} GROUP BY account_id ORDER BY account_id
  ON CONFLICT (account_id) DO UPDATE SET changes = waiting_account.changes + 1`;

/**
 * After a scheduling turn: accounts that were scheduled go to the end of the line, and accounts that were read and have no
 * waiting captures leave it. One message without a transaction, so that a process that freezes blocks no new captures. It
 * waits for no lock: a row that is skipped keeps its place until the next turn.
 */
export async function moveInLine(
  database: Queryable,
  { scheduled, empty }: { scheduled: readonly string[]; empty: readonly string[] },
): Promise<void> {
  if (scheduled.length === 0 && empty.length === 0) return;
  const [moved, left] = [scheduled, empty].map((ids) => `ARRAY[${ids.map(pg.escapeLiteral).join()}]::text[]`);
  // In one message: such statements are one transaction. The first waiting capture of each account is looked up on the index,
  // whatever the planner expects: a join may read all that wait, and a look-up in any order the whole table.
  await database.query(`${preferIndexOrder};
    WITH before AS MATERIALIZED (
      SELECT account_id, changes FROM waiting_account WHERE account_id = ANY(${moved}) OR account_id = ANY(${left})
    ), free AS MATERIALIZED (
      SELECT account_id, changes FROM waiting_account WHERE account_id IN (SELECT account_id FROM before)
         FOR UPDATE SKIP LOCKED
    ), moved AS (
      UPDATE waiting_account w SET waiting_since = clock_timestamp()
        FROM free WHERE w.account_id = free.account_id AND w.account_id = ANY(${moved})
    )
    DELETE FROM waiting_account w USING free JOIN before USING (account_id, changes)
     WHERE w.account_id = free.account_id AND w.account_id = ANY(${left}) AND w.account_id <> ALL(${moved})
       AND (SELECT true FROM capture c WHERE ${waits} AND c.account_id = w.account_id
             ORDER BY c.batch_id, c.batch_index, c.id LIMIT 1) IS NULL`);
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
 * Adds accounts whose captures wait but that have no row: their captures were returned to the waiting ones, or inserted by
 * a previous version. Steps from one account to the next on the index of waiting captures.
 *
 * @returns how many.
 */
export async function recoverWaitingAccounts(database: Queryable): Promise<number> {
  // In one message, so that a process that freezes leaves no locks: such statements are one transaction.
  const results = await database.query(`${preferIndexOrder};${addAccounts}`);
  const [, inserted] = results as unknown as [pg.QueryResult, pg.QueryResult];
  return inserted.rowCount ?? 0;
}
