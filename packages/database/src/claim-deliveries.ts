import type { ContractForm } from '@capture/contract/forms';
import type { Queryable } from './database.ts';

/**
 * What a claim holds beyond the receiver's time-out, milliseconds: for waiting in the queue, and for writing the outcome
 * down. A dispatcher that has lost its claim must not send.
 */
const leaseMarginMs = 30_000;

/** A delivery in the hands of a dispatcher. Only the newest attempt may be sent and recorded. */
export interface ClaimedDelivery {
  id: string;
  attempt: number;
}

/**
 * Claims deliveries that are due, the longest due first. A claim ends by itself with its lease: then the delivery is due
 * again, so that one whose dispatcher died is sent again (Form B) or, if its attempt was begun, given up for lost (Form
 * A, see `dropLostAttempts`).
 *
 * @param at what is taken for now; the schedule is kept by this clock.
 */
export async function claimDeliveries(
  database: Queryable,
  form: ContractForm,
  claim: { at: Date; limit: number },
): Promise<ClaimedDelivery[]> {
  const leaseUntil = new Date(claim.at.getTime() + form.delivery.timeoutMs + leaseMarginMs);
  const { rows } = await database.query<ClaimedDelivery>({
    name: 'claim-deliveries',
    // The choice is a table of its own: inside an IN the planner may run it again for each row and claim more than the limit.
    text: `WITH due AS MATERIALIZED (
             SELECT id FROM delivery
              WHERE status = 'pending' AND next_attempt_at <= $1
                AND ($4 OR lease_until IS NULL OR begun_attempt < attempt)
              ORDER BY next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED
           )
           UPDATE delivery d SET attempt = d.attempt + 1, lease_until = $2, next_attempt_at = $2
             FROM due WHERE d.id = due.id
        RETURNING d.id, d.attempt`,
    values: [claim.at, leaseUntil, claim.limit, form.delivery.lostAttempt === 'send again'],
  });
  return rows;
}

/**
 * Gives claims back, because what should have carried them on (Redis) did not: they are due at once. One whose attempt
 * was begun stays as it is: Redis had taken it after all.
 */
export async function returnClaims(database: Queryable, claims: readonly ClaimedDelivery[], at: Date): Promise<void> {
  await database.query(
    `UPDATE delivery d SET lease_until = NULL, next_attempt_at = $3
       FROM unnest($1::text[], $2::int[]) AS claim (id, attempt)
      WHERE d.id = claim.id AND d.attempt = claim.attempt AND d.begun_attempt < d.attempt AND d.status = 'pending'
        AND d.lease_until IS NOT NULL`,
    [claims.map((claim) => claim.id), claims.map((claim) => claim.attempt), at],
  );
}

/**
 * Ends the deliveries whose one attempt was under way when its dispatcher died, in a form that never sends twice. One
 * that was claimed but never begun was not sent; it stays and is claimed again.
 *
 * @returns the ids of those that were dropped.
 */
export async function dropLostAttempts(database: Queryable, form: ContractForm, at: Date): Promise<string[]> {
  if (form.delivery.lostAttempt === 'send again') return [];
  const { rows } = await database.query(
    `WITH lost AS (
       DELETE FROM delivery
        WHERE status = 'pending' AND lease_until <= $1 AND begun_attempt = attempt
       RETURNING id, event_id
     ), forgotten AS (
       DELETE FROM event e USING lost
        WHERE e.id = lost.event_id
          AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.event_id = e.id AND d.id NOT IN (SELECT id FROM lost))
     )
     SELECT id FROM lost`,
    [at],
  );
  return rows.map((row) => row.id);
}
