import type { ContractForm } from '@capture/contract/forms/forms';
import type pg from 'pg';
import { type Queryable, transaction } from '../database.ts';
import type { DeliveryAttempt } from './begin-attempt.ts';
import { isClaimed } from './delivery-conditions.ts';
import {
  type AttemptOutcome,
  type DeliveryState,
  type NextState,
  type RecordedAttempt,
  stateAfterFailure,
} from './next-state.ts';
import { type ReleasedSlot, releaseSlot } from './receivers.ts';

export interface EndedAttempt {
  delivery: DeliveryAttempt;
  outcome: AttemptOutcome;
}

export interface RecordedOutcome {
  id: string;
  state: DeliveryState;
  /**
   * Whether the delivery's receiver waited for the slot that is free now. Null if another transaction holds the receiver's row;
   * the caller must then call `releaseSlot` with `slot`.
   */
  receiverDue: boolean | null;
  /** The slot of the delivery's receiver that the outcomes recorded together release. */
  slot: ReleasedSlot;
}

/** Records one success. `recordOutcomes` records most successes, in batches. */
export async function recordSuccess(
  pool: pg.Pool,
  form: ContractForm,
  delivery: DeliveryAttempt,
  outcome: AttemptOutcome,
): Promise<RecordedAttempt | null> {
  if (!form.delivery.history) {
    return transaction(pool, async (connection) => {
      if (!(await deleteDelivery(connection, delivery))) return null;
      return { state: 'delivered', receiverDue: await releaseSlot(connection, releasedSlot(delivery, outcome, null)) };
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
      durationMs(outcome),
      outcome.responseExcerpt,
    ],
  });
  if (rowCount !== 1) return null;
  return { state: 'delivered', receiverDue: await releaseSlot(pool, releasedSlot(delivery, outcome, null)) };
}

export const releasedSlot = (
  { accountId, host }: DeliveryAttempt,
  { error, lookUpTimedOut = false, endedAt }: AttemptOutcome,
  nextAttemptAt: Date | null,
): ReleasedSlot => ({
  accountId,
  host,
  endedAt,
  prompt: isPrompt({ error, lookUpTimedOut }),
  nextAttemptAt,
});

const isPrompt = ({ error, lookUpTimedOut = false }: Pick<AttemptOutcome, 'error' | 'lookUpTimedOut'>) =>
  error !== 'timeout' && !lookUpTimedOut;

export const durationMs = ({ startedAt, endedAt }: AttemptOutcome) => endedAt.getTime() - startedAt.getTime();

/**
 * Records many outcomes in one statement. The statement never waits for a lock and records only outcomes that need no further
 * decision. It skips deliveries whose claim was lost or that another transaction is changing, and failed deliveries for which a
 * retry was requested or whose endpoint has changed. Lock order: endpoints, deliveries, receivers.
 *
 * @returns the recorded outcomes. For the others call `recordAttempt`.
 */
export async function recordOutcomes(
  database: Queryable,
  form: ContractForm,
  ended: readonly EndedAttempt[],
): Promise<RecordedOutcome[]> {
  const outcomes = ended.map(({ outcome }) => outcome);
  const states = ended.map((each) => stateAfter(form, each));
  const failing = ended.filter(({ outcome }) => outcome.error !== null);
  const { rows } = await database.query<ReleasedSlot & Omit<RecordedOutcome, 'slot'>>({
    name: form.delivery.history ? 'record-outcomes' : 'forget-outcomes',
    text: `WITH endpoint AS MATERIALIZED (
             SELECT id, url FROM webhook_endpoint WHERE id = ANY($13) AND status = 'active' FOR SHARE SKIP LOCKED
           ), held AS MATERIALIZED (
             SELECT d.id, o.*
               FROM unnest($1::text[], $2::int[], $3::int[], $4::timestamptz[], $5::timestamptz[], $6::text[], $7::text[],
                           $8::text[], $9::text[], $10::timestamptz[], $11::int[], $12::bool[])
                    AS o (delivery_id, attempt, http_status, started_at, ended_at, trigger, excerpt,
                          error, state, next_at, retries, prompt)
               JOIN delivery d ON d.id = o.delivery_id
               LEFT JOIN endpoint e ON e.id = d.webhook_id
              WHERE ${isClaimed('d.', 'o.attempt')}
                AND (o.error IS NULL OR (NOT d.retry_asked AND (d.webhook_id IS NULL OR e.url = d.url)))
                FOR UPDATE OF d SKIP LOCKED
           ), ${form.delivery.history ? updateDelivery : deleteEnded}, ${releaseSlots}
           SELECT recorded.id, recorded.state,
                  CASE WHEN seen.host IS NOT NULL THEN coalesce(released.due, false) END AS "receiverDue",
                  account_id AS "accountId", host, ended.at AS "endedAt", ended.prompt, ended.next_at AS "nextAttemptAt"
             FROM recorded JOIN ended USING (account_id, host)
             LEFT JOIN seen USING (account_id, host) LEFT JOIN released USING (account_id, host)`,
    values: [
      ended.map(({ delivery }) => delivery.id),
      ended.map(({ delivery }) => delivery.attempt),
      outcomes.map(({ status }) => status),
      outcomes.map(({ startedAt }) => startedAt),
      outcomes.map(({ endedAt }) => endedAt),
      ended.map(({ delivery }) => delivery.trigger),
      outcomes.map(({ responseExcerpt }) => responseExcerpt),
      outcomes.map(({ error }) => error),
      states.map(({ status }) => status),
      states.map(({ nextAttemptAt }) => nextAttemptAt),
      states.map(({ retriesUsed }) => retriesUsed),
      outcomes.map(isPrompt),
      [...new Set(failing.flatMap(({ delivery }) => delivery.webhookId ?? []))],
    ],
  });
  return rows.map(({ id, state, receiverDue, ...slot }) => ({ id, state, receiverDue, slot }));
}

/** The state after an outcome if nothing has changed during the attempt. */
function stateAfter(form: ContractForm, { delivery, outcome: { error, endedAt } }: EndedAttempt): NextState {
  const { retriesUsed } = delivery;
  if (error === null) return { status: 'delivered', nextAttemptAt: null, retriesUsed, trigger: 'schedule' };
  return stateAfterFailure(form, delivery, endedAt, { retryAsked: false, endpoint: 'active' });
}

const updateDelivery = `
  recorded AS (
    UPDATE delivery d
       SET status = held.state, next_attempt_at = held.next_at, lease_until = NULL, last_status = held.http_status,
           last_error = held.error, attempt_count = d.attempt_count + 1, retries_used = held.retries,
           next_trigger = 'schedule', retry_asked = false,
           completed_at = CASE WHEN held.next_at IS NULL THEN held.ended_at END
      FROM held WHERE d.id = held.id
    RETURNING d.id, d.account_id, d.host, d.attempt_count, held.state, held.ended_at, held.next_at, held.prompt
  ), logged AS (
    INSERT INTO delivery_attempt (delivery_id, number, trigger, started_at, duration_ms, status, error, response_excerpt)
    SELECT id, recorded.attempt_count, trigger, started_at, extract(epoch FROM held.ended_at - started_at) * 1000,
           http_status, error, excerpt
      FROM recorded JOIN held USING (id)
  )`;

/** SQL for a form without a history: deletes a delivery with its attempts, and an event with its last delivery. */
const deleteEnded = `
  recorded AS (
    DELETE FROM delivery d USING held WHERE d.id = held.id AND held.next_at IS NULL
    RETURNING d.id, d.event_id, d.account_id, d.host, held.state, held.ended_at, held.next_at, held.prompt
  ), attempts AS (
    DELETE FROM delivery_attempt WHERE delivery_id = ANY (ARRAY(SELECT id FROM recorded))
  ), forgotten AS (
    DELETE FROM event e USING recorded
     WHERE e.id = recorded.event_id
       AND NOT EXISTS (SELECT FROM delivery d WHERE d.event_id = e.id AND d.id NOT IN (SELECT id FROM recorded))
  )`;

/** SQL that does the work of `releaseSlot` for all outcomes of each receiver; `prompt` comes from the last outcome. */
const releaseSlots = `
  ended AS (
    SELECT account_id, host, max(ended_at) AS at, min(next_at) AS next_at,
           (array_agg(prompt ORDER BY ended_at DESC))[1] AS prompt
      FROM recorded GROUP BY account_id, host
  ), seen AS MATERIALIZED (
    SELECT r.account_id, r.host, r.at_limit, r.next_due_at, r.prompt AS was_prompt, ended.at, ended.next_at, ended.prompt
      FROM ended JOIN receiver r USING (account_id, host)
       FOR UPDATE OF r SKIP LOCKED
  ), released AS (
    UPDATE receiver r
       SET next_due_at = least(CASE WHEN seen.at_limit THEN seen.at ELSE seen.next_due_at END, seen.next_at),
           at_limit = false, prompt = seen.prompt
      FROM seen
     WHERE r.account_id = seen.account_id AND r.host = seen.host
       AND (seen.at_limit OR seen.was_prompt IS DISTINCT FROM seen.prompt OR seen.next_at < seen.next_due_at
            OR (seen.next_due_at IS NULL AND seen.next_at IS NOT NULL))
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
