import type { ContractForm } from '@capture/contract/forms/forms';
import type pg from 'pg';
import { type Queryable, transaction } from '../database.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';
import { isClaimed, timeOf } from './delivery-conditions.ts';
import { makeReceiversDue } from './receivers.ts';

/** How long an attempt's lease lasts beyond the receiver's timeout, milliseconds. This leaves time to record the outcome. */
const leaseMarginMs = 30_000;

/** How long an attempt's lease lasts, milliseconds. After that another process may send the delivery. */
export const attemptLeaseMs = (form: ContractForm) => form.delivery.timeoutMs + leaseMarginMs;

/** Everything that an attempt needs. The secrets are encrypted for the endpoint or, without an endpoint, for the account. */
export interface DeliveryAttempt extends ClaimedDelivery {
  accountId: string;
  /** The registered endpoint; null if the URL comes from a request. */
  webhookId: string | null;
  url: string;
  host: string;
  eventId: string;
  eventName: string;
  captureId: string | null;
  /** The batch of the event, or the batch of the event's capture. */
  batchId: string | null;
  body: Buffer;
  attemptCount: number;
  retriesUsed: number;
  /** Whether the schedule or a manual retry caused this attempt. */
  trigger: 'schedule' | 'manual';
  signingSecret: string;
  previousSigningSecret: string | null;
  /** Since when all attempts at the endpoint have failed; null if the last attempt succeeded or the URL comes from a request. */
  failingSince: Date | null;
}

/** The dispatcher that begins an attempt. */
export interface Beginning {
  dispatcherId: string;
  /** The current time; by default the time of the database. */
  at?: Date | undefined;
}

/**
 * Begins the attempt of a claimed delivery right before the dispatcher sends it: loads what the attempt needs, and extends the
 * claim for as long as the attempt may take. Each attempt begins once, although the queue may deliver a claim twice if its
 * dispatcher died or Redis lost its last second.
 *
 * @returns null if the delivery must not be sent: the attempt already began, the claim has expired, the endpoint is not active or
 * has another URL, or the account is deleted.
 */
export async function beginAttempt(
  database: Queryable,
  form: ContractForm,
  claim: ClaimedDelivery,
  by: Beginning,
): Promise<DeliveryAttempt | null> {
  const { rows } = await database.query<DeliveryAttempt>({
    name: 'begin-attempt',
    text: beginning('FOR UPDATE OF d'),
    values: beginningValues(form, [claim], by),
  });
  return rows[0] ?? null;
}

/**
 * Begins the attempts of many claims in one statement. The statement never waits for a lock and skips deliveries that another
 * transaction is changing, so that one lock delays no other delivery and two such statements never wait for each other.
 *
 * @returns the attempts that began, each once even if its claim is passed twice. For the other claims call `beginAttempt`.
 */
export async function beginAttempts(
  database: Queryable,
  form: ContractForm,
  claims: readonly ClaimedDelivery[],
  by: Beginning,
): Promise<DeliveryAttempt[]> {
  const { rows } = await database.query<DeliveryAttempt>({
    name: 'begin-attempts',
    text: beginning('FOR UPDATE OF d SKIP LOCKED'),
    values: beginningValues(form, claims, by),
  });
  return rows;
}

function beginningValues(
  form: ContractForm,
  claims: readonly ClaimedDelivery[],
  { dispatcherId, at }: Beginning,
): unknown[] {
  const leaseS = attemptLeaseMs(form) / 1_000;
  return [claims.map(({ id }) => id), claims.map(({ attempt }) => attempt), dispatcherId, at ?? null, leaseS];
}

/** @param locking SQL that locks the deliveries. */
const beginning = (locking: string) => `
  WITH chosen AS MATERIALIZED (
    SELECT d.id, d.event_id, d.account_id, d.webhook_id
      FROM unnest($1::text[], $2::int[]) AS claim (id, attempt) JOIN delivery d ON d.id = claim.id
     WHERE ${isClaimed('d.', 'claim.attempt')} AND d.begun_attempt < claim.attempt AND d.lease_until > ${timeOf('$4')}
       ${locking}
  )
  UPDATE delivery d
     SET begun_attempt = d.attempt, dispatcher_id = $3, lease_until = lease.until, next_attempt_at = lease.until
    FROM chosen
   CROSS JOIN (SELECT ${timeOf('$4')} + make_interval(secs => $5) AS until) AS lease
    JOIN event e ON e.id = chosen.event_id
    JOIN account a ON a.id = chosen.account_id
    LEFT JOIN webhook_endpoint w ON w.id = chosen.webhook_id AND w.account_id = a.id
   WHERE d.id = chosen.id AND a.deleted_at IS NULL
     AND (chosen.webhook_id IS NULL OR (w.status = 'active' AND w.url = d.url))
  RETURNING d.id, d.attempt, d.account_id AS "accountId", d.webhook_id AS "webhookId", d.url, d.host,
            d.attempt_count AS "attemptCount", d.retries_used AS "retriesUsed", d.next_trigger AS trigger,
            e.id AS "eventId", e.name AS "eventName", e.capture_id AS "captureId", e.body,
            coalesce(e.batch_id, (SELECT c.batch_id FROM capture c WHERE c.id = e.capture_id)) AS "batchId",
            CASE WHEN w.id IS NULL THEN a.signing_secret ELSE w.signing_secret END AS "signingSecret",
            CASE WHEN w.id IS NULL
                 THEN CASE WHEN a.previous_signing_secret_until > now() THEN a.previous_signing_secret END
                 ELSE CASE WHEN w.previous_signing_secret_until > now() THEN w.previous_signing_secret END
            END AS "previousSigningSecret", w.failing_since AS "failingSince"`;

/**
 * Makes a claimed delivery follow its endpoint, which is no longer active or has another URL. This happens if the dispatcher of
 * an attempt was lost when the endpoint was changed, or if the change has not reached this delivery among the endpoint's many
 * deliveries. The delivery is paused, fails if the endpoint was deleted, or becomes due at the new URL.
 *
 * Lock order: endpoint, delivery, receiver.
 *
 * @returns whether the delivery was held or redirected.
 */
export async function holdDelivery(pool: pg.Pool, claim: ClaimedDelivery, at?: Date): Promise<boolean> {
  return transaction(pool, async (connection) => {
    const { rows } = await connection.query(
      `SELECT w.status, w.url FROM delivery d JOIN webhook_endpoint w ON w.id = d.webhook_id
        WHERE d.id = $1 FOR SHARE OF w`,
      [claim.id],
    );
    if (rows[0]?.status === 'active') return redirect(connection, claim, rows[0].url, at ?? null);
    const { rowCount } = await connection.query(
      `UPDATE delivery
          SET status = $3, lease_until = NULL, next_attempt_at = NULL,
              last_error = CASE WHEN $3 = 'failed' THEN 'endpoint_deleted' ELSE last_error END,
              completed_at = CASE WHEN $3 = 'failed' THEN ${timeOf('$4')} END
        WHERE id = $1 AND attempt = $2 AND begun_attempt < attempt AND status = 'pending' AND webhook_id IS NOT NULL`,
      [claim.id, claim.attempt, rows[0] ? 'paused' : 'failed', at ?? null],
    );
    return rowCount === 1;
  });
}

async function redirect(connection: Queryable, claim: ClaimedDelivery, url: string, at: Date | null): Promise<boolean> {
  const { rows } = await connection.query(
    `UPDATE delivery SET url = $3, lease_until = NULL, next_attempt_at = ${timeOf('$4')}
      WHERE id = $1 AND attempt = $2 AND begun_attempt < attempt AND status = 'pending' AND url <> $3
  RETURNING account_id AS "accountId", host`,
    [claim.id, claim.attempt, url, at],
  );
  await makeReceiversDue(connection, rows, at);
  return rows.length === 1;
}
