import type { Queryable } from '../database.ts';

/** Where an account has deliveries: a row of `receiver`. */
export interface ReceiverKey {
  accountId: string;
  /** Host and port, as the database makes them from a delivery's URL (`delivery.host`). */
  host: string;
}

/**
 * Makes receivers due at `at`, or leaves them due as early as they are; one at its limit is looked at soon anyway. To be
 * called last in the transaction that made
 * their deliveries due: the rows are locked in the order of their keys, so that two such transactions never wait for each
 * other.
 */
export async function makeReceiversDue(
  connection: Queryable,
  receivers: Iterable<ReceiverKey>,
  at: Date,
): Promise<void> {
  const pairs = [...receivers];
  if (pairs.length === 0) return;
  await connection.query({
    name: 'make-receivers-due',
    // A key that is given twice would be updated twice by one statement, which Postgres refuses.
    text: `INSERT INTO receiver (account_id, host, next_due_at)
           SELECT DISTINCT account_id, host, $3::timestamptz FROM unnest($1::text[], $2::text[]) AS due (account_id, host)
            ORDER BY account_id, host
           ON CONFLICT (account_id, host) DO UPDATE
              SET next_due_at = excluded.next_due_at
            WHERE (receiver.next_due_at IS NULL OR receiver.next_due_at > excluded.next_due_at)
              AND NOT receiver.at_limit`,
    values: [pairs.map(({ accountId }) => accountId), pairs.map(({ host }) => host), at],
  });
}
