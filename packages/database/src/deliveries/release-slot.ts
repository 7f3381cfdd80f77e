import type { Queryable } from '../database.ts';
import type { ReceiverKey } from './make-receivers-due.ts';

/** What the end of an attempt means for its receiver. */
export interface ReleasedSlot extends ReceiverKey {
  endedAt: Date;
  /** Whether it was answered in time. */
  prompt: boolean;
  /** When the delivery is due again; null if it is not. */
  nextAttemptAt: Date | null;
}

/**
 * Tells the receiver's row what an outcome means for its next delivery: one that waited for a place gets it now, one that
 * did not answer in time gets few, and a retry may be the next thing that is due. Most outcomes change nothing there.
 *
 * The row is locked before it is judged: a round of claims may be about to write that the receiver holds all its places,
 * one of which has just become free.
 *
 * @returns whether the receiver has waited for the place that is free now.
 */
export async function releaseSlot(database: Queryable, freed: ReleasedSlot): Promise<boolean> {
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
    values: [freed.accountId, freed.host, freed.endedAt, freed.nextAttemptAt, freed.prompt],
  });
  return rows[0]?.due === true;
}
