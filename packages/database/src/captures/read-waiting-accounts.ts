import type { Queryable } from '../database.ts';

/** How the captures that wait for their turn are spread over accounts. */
export interface WaitingAccounts {
  /** Accounts that have any. */
  accounts: number;
  /** Captures of the account that has the most. */
  largest: number;
}

/** Reads it from the index of waiting captures alone. */
export async function readWaitingAccounts(database: Queryable): Promise<WaitingAccounts> {
  const { rows } = await database.query({
    name: 'read-waiting-accounts',
    text: `SELECT count(*)::int AS accounts, coalesce(max(waiting), 0)::int AS largest
             FROM (SELECT count(*) AS waiting FROM capture
                    WHERE status = 'queued' AND enqueued_at IS NULL GROUP BY account_id) AS each`,
  });
  return rows[0];
}
