import type { ContractForm } from '@capture/contract/forms';
import type { ClaimedDelivery } from './claim-deliveries.ts';
import type { Queryable } from './database.ts';

/** What a begun attempt's lease holds beyond the receiver's time-out, milliseconds: for writing the outcome down. */
const leaseMarginMs = 30_000;

/** All that one attempt needs: where, what, and what to sign it with (sealed for the endpoint, or else the account). */
export interface DeliveryAttempt extends ClaimedDelivery {
  accountId: string;
  /** The registered endpoint; null for the URL of a request. */
  webhookId: string | null;
  url: string;
  host: string;
  eventId: string;
  eventName: string;
  captureId: string | null;
  body: Buffer;
  attemptCount: number;
  retriesUsed: number;
  /** What led to this attempt. */
  trigger: 'schedule' | 'manual';
  signingSecret: string;
  previousSigningSecret: string | null;
  /** Since when all attempts at the endpoint have failed; null while they do not, and for the URL of a request. */
  failingSince: Date | null;
}

/**
 * Begins the attempt of a claim, right before it is sent, and loads all that it needs; from now on the claim holds for as
 * long as the attempt may take. It is begun once: the queue may hand a claim out a second time, when its dispatcher died
 * or Redis lost its last second.
 *
 * @returns null if the attempt was begun already, the claim does not hold any more, its endpoint is not active, or its
 * account is deleted: then it must not be sent.
 */
export async function beginAttempt(
  database: Queryable,
  form: ContractForm,
  claim: ClaimedDelivery,
  by: { dispatcherId: string; at: Date },
): Promise<DeliveryAttempt | null> {
  const leaseUntil = new Date(by.at.getTime() + form.delivery.timeoutMs + leaseMarginMs);
  const { rows } = await database.query<DeliveryAttempt>({
    name: 'begin-attempt',
    text: `UPDATE delivery d SET begun_attempt = d.attempt, dispatcher_id = $3, lease_until = $5, next_attempt_at = $5
             FROM event e, account a
             LEFT JOIN webhook_endpoint w ON w.account_id = a.id
                  AND w.id = (SELECT webhook_id FROM delivery WHERE id = $1)
            WHERE d.id = $1 AND d.attempt = $2 AND d.begun_attempt < $2 AND d.status = 'pending'
              AND d.lease_until > $4 AND e.id = d.event_id AND a.id = d.account_id AND a.deleted_at IS NULL
              AND (d.webhook_id IS NULL OR w.status = 'active')
        RETURNING d.id, d.attempt, d.account_id AS "accountId", d.webhook_id AS "webhookId", d.url, d.host,
                  d.attempt_count AS "attemptCount", d.retries_used AS "retriesUsed", d.next_trigger AS trigger,
                  e.id AS "eventId", e.name AS "eventName", e.capture_id AS "captureId", e.body,
                  CASE WHEN w.id IS NULL THEN a.signing_secret ELSE w.signing_secret END AS "signingSecret",
                  CASE WHEN w.id IS NULL
                       THEN CASE WHEN a.previous_signing_secret_until > now() THEN a.previous_signing_secret END
                       ELSE CASE WHEN w.previous_signing_secret_until > now() THEN w.previous_signing_secret END
                  END AS "previousSigningSecret", w.failing_since AS "failingSince"`,
    values: [claim.id, claim.attempt, by.dispatcherId, by.at, leaseUntil],
  });
  return rows[0] ?? null;
}
