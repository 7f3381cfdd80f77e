import type { ContractForm } from '@capture/contract/forms/forms';
import type pg from 'pg';
import { type Queryable, transaction } from '../database.ts';
import type { DeliveryAttempt } from './begin-attempt.ts';
import { isClaimed } from './delivery-conditions.ts';
import {
  type AttemptOutcome,
  type Meanwhile,
  type NextState,
  type RecordedAttempt,
  stateAfterFailure,
} from './next-state.ts';
import { makeReceiversDue, releaseSlot } from './receivers.ts';
import { deleteDelivery, durationMs, recordSuccess, releasedSlot } from './record-outcomes.ts';

/**
 * Records the outcome of an attempt and when the next attempt is due, in one transaction. In a form without a history the
 * delivery is deleted after its last attempt.
 *
 * @returns null if the claim was lost meanwhile; nothing changed then.
 */
export async function recordAttempt(
  pool: pg.Pool,
  form: ContractForm,
  delivery: DeliveryAttempt,
  outcome: AttemptOutcome,
): Promise<RecordedAttempt | null> {
  if (outcome.error === null) return recordSuccess(pool, form, delivery, outcome);
  return transaction(pool, async (connection) => {
    const meanwhile = await lockDelivery(connection, delivery);
    if (!meanwhile) return null;
    const next = stateAfterFailure(form, delivery, outcome.endedAt, meanwhile);
    if (next.status === 'failed' && !form.delivery.history) {
      await deleteDelivery(connection, delivery);
      return { state: next.status, receiverDue: await releaseSlot(connection, releasedSlot(delivery, outcome, null)) };
    }
    const host = await recordFailure(connection, delivery, outcome, next, meanwhile);
    // The endpoint's URL changed during the attempt, so the retry goes to another receiver.
    const moved = host !== delivery.host;
    const receiverDue = await releaseSlot(
      connection,
      releasedSlot(delivery, outcome, moved ? null : next.nextAttemptAt),
    );
    if (moved && next.nextAttemptAt) {
      await makeReceiversDue(connection, [{ accountId: delivery.accountId, host }], next.nextAttemptAt);
    }
    return { state: next.status, receiverDue };
  });
}

/**
 * Lock order: endpoint, delivery, receiver. A transaction that pauses or deletes the endpoint either waits for this transaction
 * or has already committed, so its change is visible here.
 *
 * @returns null if the claim was lost.
 */
async function lockDelivery(
  connection: Queryable,
  delivery: DeliveryAttempt,
): Promise<(Meanwhile & { url: string }) | null> {
  let [endpoint, url]: [string | null, string] = ['active', delivery.url];
  if (delivery.webhookId !== null) {
    const { rows } = await connection.query('SELECT status, url FROM webhook_endpoint WHERE id = $1 FOR SHARE', [
      delivery.webhookId,
    ]);
    [endpoint, url] = rows[0] ? [rows[0].status, rows[0].url] : [null, url];
  }
  const { rows } = await connection.query(
    `SELECT retry_asked FROM delivery WHERE id = $1 AND ${isClaimed('', '$2')} FOR UPDATE`,
    [delivery.id, delivery.attempt],
  );
  return rows[0] ? { retryAsked: rows[0].retry_asked, endpoint, url } : null;
}

/** @returns the delivery's current host. */
async function recordFailure(
  connection: Queryable,
  delivery: DeliveryAttempt,
  outcome: AttemptOutcome,
  next: NextState,
  { endpoint, url }: Meanwhile & { url: string },
): Promise<string> {
  const { rows } = await connection.query({
    name: 'record-failure',
    text: `WITH recorded AS (
             UPDATE delivery
                SET status = $2, next_attempt_at = $3, lease_until = NULL, last_status = $4, last_error = $5,
                    attempt_count = attempt_count + 1, retries_used = $6, next_trigger = $7, retry_asked = false,
                    completed_at = CASE WHEN $2 = 'failed' THEN $8::timestamptz END,
                    url = CASE WHEN $2 = 'failed' THEN url ELSE $14 END
              WHERE id = $1
              RETURNING id, attempt_count, host
           ), logged AS (
             INSERT INTO delivery_attempt
               (delivery_id, number, trigger, started_at, duration_ms, status, error, response_excerpt)
             SELECT id, attempt_count, $9, $10, $11, $4, $12, $13 FROM recorded
           )
           SELECT host FROM recorded`,
    values: [
      delivery.id,
      next.status,
      next.nextAttemptAt,
      outcome.status,
      endpoint === null ? 'endpoint_deleted' : outcome.error,
      next.retriesUsed,
      next.trigger,
      outcome.endedAt,
      delivery.trigger,
      outcome.startedAt,
      durationMs(outcome),
      outcome.error,
      outcome.responseExcerpt,
      url,
    ],
  });
  return rows[0].host;
}
