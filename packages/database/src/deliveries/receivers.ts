import type pg from 'pg';
import { type Queryable, queryInIndexOrder, transaction } from '../database.ts';
import { inSlices } from '../in-slices.ts';
import { timeOf } from './delivery-conditions.ts';

/** A host to which an account has deliveries: the key of a row of `receiver`. */
export interface ReceiverKey {
  accountId: string;
  /** The host and port, which the database derives from a delivery's URL (`delivery.host`). */
  host: string;
}

/**
 * Makes receivers due at `at` (null: now), unless they are due earlier or at their limit, which is checked again soon anyway. A
 * transaction must call this last: locking the rows in the order of their keys after everything else prevents deadlocks.
 */
export async function makeReceiversDue(
  connection: Queryable,
  receivers: Iterable<ReceiverKey>,
  at: Date | null,
): Promise<void> {
  const pairs = [...receivers];
  if (pairs.length === 0) return;
  await connection.query({
    name: 'make-receivers-due',
    // Postgres refuses to update a row twice in one statement, so the rows must be distinct.
    text: `INSERT INTO receiver (account_id, host, next_due_at)
           SELECT DISTINCT account_id, host, ${timeOf('$3')} FROM unnest($1::text[], $2::text[]) AS due (account_id, host)
            ORDER BY account_id, host
           ON CONFLICT (account_id, host) DO UPDATE
              SET next_due_at = excluded.next_due_at
            WHERE (receiver.next_due_at IS NULL OR receiver.next_due_at > excluded.next_due_at)
              AND NOT receiver.at_limit`,
    values: [pairs.map(({ accountId }) => accountId), pairs.map(({ host }) => host), at],
  });
}

/** The slot that an ended attempt releases. */
export interface ReleasedSlot extends ReceiverKey {
  endedAt: Date;
  /** Whether the receiver and the resolver responded in time. */
  prompt: boolean;
  /** When the delivery is due again; null if it is not due again. */
  nextAttemptAt: Date | null;
}

/**
 * Updates a receiver after an attempt. A receiver that waited for a slot is due now, a receiver that did not respond in time gets
 * fewer slots, and a retry may be its next delivery. Most outcomes change nothing.
 *
 * The row is locked before it is read, because a round of claims may be about to write that the receiver holds all its slots
 * although a slot has just been released.
 *
 * @returns whether the receiver waited for the slot.
 */
export async function releaseSlot(database: Queryable, released: ReleasedSlot): Promise<boolean> {
  const { rows } = await database.query({
    name: 'free-place',
    text: `WITH seen AS MATERIALIZED (
             SELECT account_id, host, at_limit, prompt, next_due_at FROM receiver
              WHERE account_id = $1 AND host = $2 FOR UPDATE
           )
           UPDATE receiver r
              SET next_due_at = least(CASE WHEN seen.at_limit THEN $3 ELSE seen.next_due_at END, $4), at_limit = false,
                  prompt = $5
             FROM seen
            WHERE r.account_id = seen.account_id AND r.host = seen.host
              AND (seen.at_limit OR seen.prompt IS DISTINCT FROM $5 OR $4 < seen.next_due_at
                   OR (seen.next_due_at IS NULL AND $4 IS NOT NULL))
        RETURNING r.next_due_at <= $3 AS due`,
    values: [released.accountId, released.host, released.endedAt, released.nextAttemptAt, released.prompt],
  });
  return rows[0]?.due === true;
}

export interface ReceiverSlices {
  /** The rows that one statement reads. */
  slice?: number;
  /** Asked before each further slice. */
  goOn?: () => boolean;
}

/** The key before the first receiver. */
export const firstReceiver: ReceiverKey = { accountId: '', host: '' };

/** The deliveries that one statement reads; it takes a fraction of a second. */
const readAtOnce = 5_000;

/**
 * Makes receivers due whose rows disagree with their open deliveries, so that no delivery waits forever, whatever caused the
 * disagreement (a previous version, a manual change of the database). Reads an index of the open deliveries in slices, and skips
 * the rest of a receiver that fills a slice.
 *
 * @returns the number of corrected receivers.
 */
export async function recoverReceivers(
  pool: pg.Pool,
  { slice = readAtOnce, goOn }: ReceiverSlices = {},
): Promise<number> {
  let last = firstReceiver;
  let corrected = 0;
  await inSlices(
    slice,
    async (size) => {
      const { rows } = await transaction(pool, (connection) =>
        queryInIndexOrder<ReceiverKey & { seen: number; corrected: number }>(connection, {
          // The index order puts each receiver's next delivery first. The subquery looks each receiver up separately: for a join
          // the planner may read all receivers.
          text: `WITH seen AS MATERIALIZED (
                   SELECT account_id, host, next_attempt_at FROM delivery
                    WHERE status = 'pending' AND (account_id, host) > ($1, $2)
                    ORDER BY account_id, host, next_attempt_at LIMIT $3
                 ), open AS MATERIALIZED (
                   SELECT account_id, host, min(next_attempt_at) AS next_due_at FROM seen GROUP BY account_id, host
                 ), corrected AS (
                   INSERT INTO receiver (account_id, host, next_due_at)
                   SELECT open.account_id, open.host, open.next_due_at
                     FROM open
                    CROSS JOIN LATERAL (SELECT FROM account WHERE id = open.account_id LIMIT 1) AS a
                     LEFT JOIN LATERAL (
                       SELECT at_limit OR coalesce(next_due_at <= open.next_due_at, false) AS is_due FROM receiver
                        WHERE account_id = open.account_id AND host = open.host LIMIT 1
                     ) AS r ON true
                    WHERE r.is_due IS NOT TRUE
                    ORDER BY open.account_id, open.host
                   ON CONFLICT (account_id, host) DO UPDATE SET next_due_at = excluded.next_due_at
                   RETURNING 1
                 )
                 SELECT (SELECT count(*)::int FROM seen) AS seen, (SELECT count(*)::int FROM corrected) AS corrected, last.*
                   FROM (SELECT account_id AS "accountId", host FROM open ORDER BY account_id DESC, host DESC LIMIT 1) AS last`,
          values: [last.accountId, last.host, size],
        }),
      );
      const [found] = rows;
      if (!found) return 0;
      last = found;
      corrected += found.corrected;
      return found.seen;
    },
    goOn,
  );
  return corrected;
}
