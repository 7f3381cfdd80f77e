import type { ClaimedDelivery } from './claim-deliveries.ts';
import type { Queryable } from './database.ts';

/** All that one attempt needs: where, what, and what to sign it with (sealed for the account). */
export interface DeliveryAttempt extends ClaimedDelivery {
  accountId: string;
  url: string;
  eventId: string;
  eventName: string;
  captureId: string | null;
  body: Buffer;
  attemptCount: number;
  retriesUsed: number;
  signingSecret: string;
  previousSigningSecret: string | null;
}

/**
 * Begins the attempt of a claim, right before it is sent, and loads all that it needs. It is begun once: the queue may
 * hand a claim out a second time, when its dispatcher died or Redis lost its last second.
 *
 * @returns null if the attempt was begun already, or the claim does not hold any more, or not for as long as the attempt
 * may take: then it must not be sent, since somebody else sends it or may claim it meanwhile.
 */
export async function beginAttempt(
  database: Queryable,
  claim: ClaimedDelivery,
  holdsUntil: Date,
): Promise<DeliveryAttempt | null> {
  const { rows } = await database.query<DeliveryAttempt>({
    name: 'begin-attempt',
    text: `UPDATE delivery d SET begun_attempt = d.attempt
             FROM event e, account a
            WHERE d.id = $1 AND d.attempt = $2 AND d.begun_attempt < $2 AND d.status = 'pending'
              AND d.lease_until >= $3 AND e.id = d.event_id AND a.id = d.account_id
        RETURNING d.id, d.attempt, d.account_id AS "accountId", d.url, d.attempt_count AS "attemptCount",
                  d.retries_used AS "retriesUsed", e.id AS "eventId", e.name AS "eventName",
                  e.capture_id AS "captureId", e.body, a.signing_secret AS "signingSecret",
                  CASE WHEN a.previous_signing_secret_until > now() THEN a.previous_signing_secret END
                    AS "previousSigningSecret"`,
    values: [claim.id, claim.attempt, holdsUntil],
  });
  return rows[0] ?? null;
}
