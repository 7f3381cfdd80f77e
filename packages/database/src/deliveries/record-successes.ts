import type { ContractForm } from '@capture/contract/forms/forms';
import type pg from 'pg';
import { type Queryable, transaction } from '../database.ts';
import type { DeliveryAttempt } from './begin-attempt.ts';
import { isClaimed } from './delivery-conditions.ts';
import type { AttemptOutcome, RecordedAttempt } from './next-state.ts';
import { type ReleasedSlot, releaseSlot } from './receivers.ts';

/** An attempt with a 2xx response in time. */
export interface Success {
  delivery: DeliveryAttempt;
  outcome: AttemptOutcome;
}

export interface RecordedSuccess {
  /** The delivery's id. */
  id: string;
  /**
   * Whether its receiver waited for the slot that is free now; null if another transaction holds the receiver's row: then
   * call `releaseSlot`.
   */
  receiverDue: boolean | null;
}

/** Records one success in a statement of its own. Most are recorded by `recordSuccesses`. */
export async function recordSuccess(
  pool: pg.Pool,
  form: ContractForm,
  delivery: DeliveryAttempt,
  outcome: AttemptOutcome,
): Promise<RecordedAttempt | null> {
  if (!form.delivery.history) {
    return transaction(pool, async (connection) => {
      if (!(await deleteDelivery(connection, delivery))) return null;
      return { state: 'delivered', receiverDue: await releaseSlot(connection, slotOf(delivery, outcome, null)) };
    });
  }
  const { rowCount } = await pool.query({
    name: 'record-success',
    text: `WITH recorded AS (
             UPDATE delivery
                SET status = 'delivered', next_attempt_at = NULL, lease_until = NULL, last_status = $3, last_error = NULL,
                    attempt_count = attempt_count + 1, next_trigger = 'schedule', retry_asked = false, completed_at = $4
              WHERE id = $1 AND ${isClaimed('', '$2')}
              RETURNING id, attempt_count
           )
           INSERT INTO delivery_attempt
             (delivery_id, number, trigger, started_at, duration_ms, status, error, response_excerpt)
           SELECT id, attempt_count, $5, $6, $7, $3, NULL, $8 FROM recorded`,
    values: [
      delivery.id,
      delivery.attempt,
      outcome.status,
      outcome.endedAt,
      delivery.trigger,
      outcome.startedAt,
      durationOf(outcome),
      outcome.responseExcerpt,
    ],
  });
  if (rowCount !== 1) return null;
  return { state: 'delivered', receiverDue: await releaseSlot(pool, slotOf(delivery, outcome, null)) };
}

export const slotOf = (
  { accountId, host }: DeliveryAttempt,
  { error, lookUpTimedOut = false, endedAt }: AttemptOutcome,
  nextAttemptAt: Date | null,
): ReleasedSlot => ({
  accountId,
  host,
  endedAt,
  prompt: error !== 'timeout' && !lookUpTimedOut,
  nextAttemptAt,
});

export const durationOf = ({ startedAt, endedAt }: AttemptOutcome) => endedAt.getTime() - startedAt.getTime();

/**
 * Records many successes, by far the most frequent outcome, in one statement. It never waits for a lock: it skips deliveries
 * whose claim was lost meanwhile or that another transaction is changing. Lock order: deliveries, receivers.
 *
 * @returns the recorded ones. For the others call `recordAttempt`.
 */
export async function recordSuccesses(
  database: Queryable,
  form: ContractForm,
  successes: readonly Success[],
): Promise<RecordedSuccess[]> {
  const outcomes = successes.map(({ outcome }) => outcome);
  const { rows } = await database.query<RecordedSuccess>({
    name: form.delivery.history ? 'record-successes' : 'forget-successes',
    text: `WITH held AS MATERIALIZED (
             SELECT d.id, s.status, s.started_at, s.ended_at, s.trigger, s.excerpt
               FROM unnest($1::text[], $2::int[], $3::int[], $4::timestamptz[], $5::timestamptz[], $6::text[], $7::text[])
                    AS s (id, attempt, status, started_at, ended_at, trigger, excerpt)
               JOIN delivery d ON d.id = s.id
              WHERE ${isClaimed('d.', 's.attempt')}
                FOR UPDATE OF d SKIP LOCKED
           ), ${form.delivery.history ? recordDelivered : deleteDelivered}, ${releaseSlots}
           SELECT recorded.id, CASE WHEN seen.host IS NOT NULL THEN coalesce(released.due, false) END AS "receiverDue"
             FROM recorded LEFT JOIN seen USING (account_id, host) LEFT JOIN released USING (account_id, host)`,
    values: [
      successes.map(({ delivery }) => delivery.id),
      successes.map(({ delivery }) => delivery.attempt),
      outcomes.map(({ status }) => status),
      outcomes.map(({ startedAt }) => startedAt),
      outcomes.map(({ endedAt }) => endedAt),
      successes.map(({ delivery }) => delivery.trigger),
      outcomes.map(({ responseExcerpt }) => responseExcerpt),
    ],
  });
  return rows;
}

const recordDelivered = `
  recorded AS (
    UPDATE delivery d
       SET status = 'delivered', next_attempt_at = NULL, lease_until = NULL, last_status = held.status, last_error = NULL,
           attempt_count = d.attempt_count + 1, next_trigger = 'schedule', retry_asked = false,
           completed_at = held.ended_at
      FROM held WHERE d.id = held.id
    RETURNING d.id, d.account_id, d.host, d.attempt_count, held.ended_at
  ), logged AS (
    INSERT INTO delivery_attempt (delivery_id, number, trigger, started_at, duration_ms, status, error, response_excerpt)
    SELECT id, recorded.attempt_count, trigger, started_at, extract(epoch FROM held.ended_at - started_at) * 1000, status,
           NULL, excerpt
      FROM recorded JOIN held USING (id)
  )`;

/** In a form without a history a delivery is deleted after its attempt with all attempts, and its event with its last delivery. */
const deleteDelivered = `
  recorded AS (
    DELETE FROM delivery d USING held WHERE d.id = held.id
    RETURNING d.id, d.event_id, d.account_id, d.host, held.ended_at
  ), attempts AS (
    DELETE FROM delivery_attempt WHERE delivery_id = ANY (ARRAY(SELECT id FROM recorded))
  ), forgotten AS (
    DELETE FROM event e USING recorded
     WHERE e.id = recorded.event_id
       AND NOT EXISTS (SELECT FROM delivery d WHERE d.event_id = e.id AND d.id NOT IN (SELECT id FROM recorded))
  )`;

/** As `releaseSlot`, for receivers that responded in time and get no retry. */
const releaseSlots = `
  seen AS MATERIALIZED (
    SELECT r.account_id, r.host, r.at_limit, r.prompt, r.next_due_at, ended.at
      FROM (SELECT account_id, host, max(ended_at) AS at FROM recorded GROUP BY account_id, host) AS ended
      JOIN receiver r USING (account_id, host)
       FOR UPDATE OF r SKIP LOCKED
  ), released AS (
    UPDATE receiver r
       SET next_due_at = CASE WHEN seen.at_limit THEN seen.at ELSE seen.next_due_at END, at_limit = false, prompt = true
      FROM seen
     WHERE r.account_id = seen.account_id AND r.host = seen.host
       AND (seen.at_limit OR seen.prompt IS DISTINCT FROM true)
    RETURNING r.account_id, r.host, r.next_due_at <= seen.at AS due
  )`;

/** @returns whether the claim was valid; otherwise nothing changed. */
export async function deleteDelivery(connection: Queryable, delivery: DeliveryAttempt): Promise<boolean> {
  const { rows } = await connection.query({
    name: 'forget-delivery',
    text: `WITH gone AS (
             DELETE FROM delivery WHERE id = $1 AND ${isClaimed('', '$2')}
             RETURNING id, event_id
           ), attempts AS (
             DELETE FROM delivery_attempt WHERE delivery_id = ANY (ARRAY(SELECT id FROM gone))
           ), forgotten AS (
             DELETE FROM event e USING gone
              WHERE e.id = gone.event_id
                AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.event_id = e.id AND d.id <> gone.id)
           )
           SELECT id FROM gone`,
    values: [delivery.id, delivery.attempt],
  });
  return rows.length === 1;
}
