import { setTimeout as delay } from 'node:timers/promises';
import type { ContractForm } from '@capture/contract/forms';
import { signatureHeaders } from '@capture/contract/signatures';
import { beginAttempt, type DeliveryAttempt } from '@capture/database/begin-attempt';
import type { ClaimedDelivery } from '@capture/database/claim-deliveries';
import type { Queryable } from '@capture/database/database';
import { type AttemptOutcome, type DeliveryState, recordAttempt } from '@capture/database/record-attempt';
import type { Sealer } from '@capture/database/sealed';
import { signingSecretOf } from '@capture/database/signing-secret';
import type { HttpsSender } from '@capture/egress/https-sender';
import type { Logger } from '@capture/runtime/log';

export interface DeliverDependencies {
  form: ContractForm;
  database: { pool: Queryable };
  sealer: Sealer;
  sender: HttpsSender;
  log: Logger;
}

/** What a claim must hold beyond the time-out for the attempt to be begun: for writing its outcome down, milliseconds. */
const recordWithinMs = 5_000;

/** What receivers see as the caller. */
const userAgent = 'Capture-Webhooks/1.0';

/**
 * Sends one claimed attempt: loads it, signs the stored bytes, sends them and writes down what came of it. Without a claim
 * that holds for the whole attempt nothing is sent.
 */
export async function deliver(dependencies: DeliverDependencies, claim: ClaimedDelivery): Promise<void> {
  const { form, database, sender, log } = dependencies;
  const holdsUntil = new Date(Date.now() + form.delivery.timeoutMs + recordWithinMs);
  const delivery = await beginAttempt(database.pool, claim, holdsUntil);
  if (!delivery) {
    log.info({ delivery_id: claim.id, attempt: claim.attempt }, 'the claim does not hold any more; nothing is sent');
    return;
  }

  const startedAt = new Date();
  const result = await sender.send({
    url: delivery.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': userAgent,
      ...signatureHeaders(form, {
        eventId: delivery.eventId,
        body: delivery.body,
        at: startedAt,
        secrets: secretsOf(dependencies, delivery),
      }),
    },
    body: delivery.body,
    timeoutMs: form.delivery.timeoutMs,
  });
  const state = await record(dependencies, delivery, {
    startedAt,
    endedAt: new Date(startedAt.getTime() + Math.round(result.durationMs)),
    status: result.status,
    error: result.error,
    responseExcerpt: result.responseExcerpt,
  });
  log.info(
    {
      delivery_id: delivery.id,
      event_id: delivery.eventId,
      event: delivery.eventName,
      request_id: delivery.captureId,
      account_id: delivery.accountId,
      // The host alone: paths and queries of webhooks often hold a token.
      receiver: new URL(delivery.url).host,
      attempt: delivery.attemptCount + 1,
      status: result.status,
      error: result.error,
      duration_ms: Math.round(result.durationMs),
      body_bytes: delivery.body.length,
      state: state ?? 'claim lost',
    },
    'delivery attempt',
  );
}

function secretsOf({ sealer }: DeliverDependencies, delivery: DeliveryAttempt): [string, string?] {
  const belongsTo = signingSecretOf(delivery.accountId);
  const current = sealer.open(delivery.signingSecret, belongsTo);
  if (delivery.previousSigningSecret === null) return [current];
  return [current, sealer.open(delivery.previousSigningSecret, belongsTo)];
}

/** Between tries to write an outcome down, milliseconds: 7.5 s in all, a quick restart of Postgres. */
const recordRetryMs = [500, 2_000, 5_000];

/**
 * Writes the outcome down, patiently: what is not recorded is sent again once the claim has ended, and the receiver gets
 * it twice.
 */
async function record(
  { form, database, log }: DeliverDependencies,
  delivery: DeliveryAttempt,
  outcome: AttemptOutcome,
): Promise<DeliveryState | null> {
  for (const waitMs of recordRetryMs) {
    try {
      return await recordAttempt(database.pool, form, delivery, outcome);
    } catch (error) {
      log.warn({ err: error, delivery_id: delivery.id }, 'an outcome could not be written down; it is tried again');
      await delay(waitMs);
    }
  }
  return recordAttempt(database.pool, form, delivery, outcome);
}
