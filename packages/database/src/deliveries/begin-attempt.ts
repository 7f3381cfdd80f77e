import type { ContractForm } from '@capture/contract/forms/forms';
import type pg from 'pg';
import { type Queryable, transaction } from '../database.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';
import { isClaimed, timeOf } from './delivery-conditions.ts';
import { makeReceiversDue } from './receivers.ts';

/** How long an attempt's lease lasts beyond the receiver's timeout, milliseconds: time to record the outcome. */
const leaseMarginMs = 30_000;

/** How long an attempt's lease lasts from its beginning, milliseconds. Then the delivery may be sent by another process. */
export const attemptLeaseMs = (form: ContractForm) => form.delivery.timeoutMs + leaseMarginMs;

/** All that one attempt needs: URL, body, and secrets to sign it with (encrypted for the endpoint, or else the account). */
export interface DeliveryAttempt extends ClaimedDelivery {
  accountId: string;
  /** The registered endpoint; null for the URL of a request. */
  webhookId: string | null;
  url: string;
  host: string;
  eventId: string;
  eventName: string;
  captureId: string | null;
  /** The batch of the event, or of its capture. */
  batchId: string | null;
  body: Buffer;
  attemptCount: number;
  retriesUsed: number;
  /** What triggered this attempt. */
  trigger: 'schedule' | 'manual';
  signingSecret: string;
  previousSigningSecret: string | null;
  /** Since when all attempts at the endpoint have failed; null if the last succeeded, and for the URL of a request. */
  failingSince: Date | null;
}

/** The dispatcher that begins an attempt. */
export interface Beginning {
  dispatcherId: string;
  /** The time; by default that of the database. */
  at?: Date | undefined;
}

/**
 * Begins the attempt of a claim, right before it is sent, loads all that it needs, and extends the claim for as long as
 * the attempt may take. Each attempt begins once: the queue may deliver a claim a second time, when its dispatcher died or
 * Redis lost its last second.
 *
 * @returns null if the attempt already began, the claim has expired, its endpoint is not active or has another URL, or its
 * account is deleted: then it must not be sent.
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
    values: valuesOf(form, [claim], by),
  });
  return rows[0] ?? null;
}

/**
 * Begins the attempts of many claims in one statement. It never waits for a lock: it skips deliveries that another
 * transaction is changing, so that one lock delays no other delivery and two such statements never wait for each other.
 *
 * @returns the attempts that began, each once even if its claim is passed twice. For the others call `beginAttempt`.
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
    values: valuesOf(form, claims, by),
  });
  return rows;
}

function valuesOf(form: ContractForm, claims: readonly ClaimedDelivery[], { dispatcherId, at }: Beginning): unknown[] {
  const leaseS = attemptLeaseMs(form) / 1_000;
  return [claims.map(({ id }) => id), claims.map(({ attempt }) => attempt), dispatcherId, at ?? null, leaseS];
}

/** @param locking SQL: how the deliveries are locked. */
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
 * Makes a claimed delivery follow its endpoint, which is no longer active or has another URL: its attempt was in progress
 * when the endpoint was changed and its dispatcher was lost, or the endpoint has so many deliveries that this one's turn had
 * not come. Like the endpoint's other deliveries it is paused, fails if the endpoint was deleted, or is due at the new URL.
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
