import type { Queryable } from '../database.ts';

/**
 * Makes receivers due whose rows say otherwise than their deliveries: whatever forgot to tell them (a statement of a former
 * version, a hand in the database), no delivery waits for ever. Reads one index of what is open.
 *
 * @returns how many there were.
 */
export async function recoverReceivers(database: Queryable): Promise<number> {
  const { rowCount } = await database.query(
    `INSERT INTO receiver (account_id, host, next_due_at)
     SELECT open.account_id, open.host, open.next_due_at
       FROM (SELECT account_id, host, min(next_attempt_at) AS next_due_at FROM delivery
              WHERE status = 'pending' GROUP BY account_id, host) AS open
       JOIN account a ON a.id = open.account_id
       LEFT JOIN receiver r ON r.account_id = open.account_id AND r.host = open.host
      WHERE r.account_id IS NULL
         OR (NOT r.at_limit AND (r.next_due_at IS NULL OR r.next_due_at > open.next_due_at))
      ORDER BY open.account_id, open.host
     ON CONFLICT (account_id, host) DO UPDATE SET next_due_at = excluded.next_due_at`,
  );
  return rowCount ?? 0;
}
