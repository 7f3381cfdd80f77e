import type { ContractForm } from '@capture/contract/forms';
import type { DeliveryAttempt } from './begin-attempt.ts';
import type { Queryable } from './database.ts';

export interface AttemptOutcome {
  startedAt: Date;
  endedAt: Date;
  /** The receiver's HTTP status, if it answered. */
  status: number | null;
  /** One of the contract's words, or null for a 2xx. */
  error: string | null;
  /** The beginning of what the receiver answered. */
  responseExcerpt: string | null;
}

export type DeliveryState = 'delivered' | 'pending' | 'failed';

/** What an attempt leads to by the form's schedule. A retry's delay runs from the end of the attempt before it. */
export function nextState(
  form: ContractForm,
  delivery: Pick<DeliveryAttempt, 'retriesUsed'>,
  outcome: Pick<AttemptOutcome, 'error' | 'endedAt'>,
): { status: DeliveryState; nextAttemptAt: Date | null } {
  if (outcome.error === null) return { status: 'delivered', nextAttemptAt: null };
  const delay = form.delivery.retryDelaysMs[delivery.retriesUsed];
  if (delay === undefined) return { status: 'failed', nextAttemptAt: null };
  return { status: 'pending', nextAttemptAt: new Date(outcome.endedAt.getTime() + delay) };
}

/**
 * Writes down what an attempt came to and when the next is due, in one statement. In a form without a history the
 * delivery goes once its last attempt is over.
 *
 * @returns the delivery's new state, or null if the claim was lost meanwhile: then nothing was changed.
 */
export async function recordAttempt(
  database: Queryable,
  form: ContractForm,
  delivery: DeliveryAttempt,
  outcome: AttemptOutcome,
): Promise<DeliveryState | null> {
  const { status, nextAttemptAt } = nextState(form, delivery, outcome);
  if (status !== 'pending' && !form.delivery.history) return forget(database, delivery, status);
  const { rowCount } = await database.query({
    name: 'record-attempt',
    text: `WITH recorded AS (
             UPDATE delivery
                SET status = $3, next_attempt_at = $4, lease_until = NULL, last_status = $5, last_error = $6,
                    attempt_count = attempt_count + 1, retries_used = retries_used + ($3 = 'pending')::int,
                    completed_at = CASE WHEN $3 = 'pending' THEN NULL ELSE $7::timestamptz END
              WHERE id = $1 AND attempt = $2 AND status = 'pending' AND lease_until IS NOT NULL
              RETURNING id, attempt_count
           )
           INSERT INTO delivery_attempt
             (delivery_id, number, trigger, started_at, duration_ms, status, error, response_excerpt)
           SELECT id, attempt_count, 'schedule', $8, $9, $5, $6, $10 FROM recorded`,
    values: [
      delivery.id,
      delivery.attempt,
      status,
      nextAttemptAt,
      outcome.status,
      outcome.error,
      outcome.endedAt,
      outcome.startedAt,
      outcome.endedAt.getTime() - outcome.startedAt.getTime(),
      outcome.responseExcerpt,
    ],
  });
  return rowCount === 1 ? status : null;
}

async function forget(
  database: Queryable,
  delivery: DeliveryAttempt,
  status: DeliveryState,
): Promise<DeliveryState | null> {
  const { rows } = await database.query(
    `WITH gone AS (
       DELETE FROM delivery WHERE id = $1 AND attempt = $2 AND status = 'pending' AND lease_until IS NOT NULL
       RETURNING id, event_id
     ), forgotten AS (
       DELETE FROM event e USING gone
        WHERE e.id = gone.event_id
          AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.event_id = e.id AND d.id <> gone.id)
     )
     SELECT id FROM gone`,
    [delivery.id, delivery.attempt],
  );
  return rows.length === 1 ? status : null;
}
