import { setTimeout as delay } from 'node:timers/promises';
import { deliveryHeaders } from '@capture/contract/delivery-headers';
import type { ContractForm } from '@capture/contract/forms';
import { beginAttempt, type DeliveryAttempt } from '@capture/database/begin-attempt';
import type { ClaimedDelivery } from '@capture/database/claim-deliveries';
import type { Database } from '@capture/database/database';
import { noteEndpointHealth } from '@capture/database/endpoint-health';
import { holdDelivery } from '@capture/database/hold-delivery';
import type { AttemptOutcome, DeliveryState } from '@capture/database/next-state';
import { type RecordedAttempt, recordAttempt } from '@capture/database/record-attempt';
import type { Sealer } from '@capture/database/sealed';
import { endpointSecretOf, signingSecretOf } from '@capture/database/signing-secret';
import type { HttpsSender } from '@capture/egress/https-sender';
import type { Logger } from '@capture/runtime/log';

export interface DeliverDependencies {
  form: ContractForm;
  database: Pick<Database, 'pool'>;
  sealer: Sealer;
  sender: HttpsSender;
  log: Logger;
  /** This dispatcher, as its heartbeat names it. */
  dispatcherId: string;
  now: () => Date;
}

/**
 * Sends one claimed attempt: begins it, signs the stored bytes, sends them and writes down what came of it. Without a claim
 * that holds nothing is sent.
 *
 * @returns what was recorded; null if nothing was sent, or the claim was lost meanwhile.
 */
export async function deliver(
  dependencies: DeliverDependencies,
  claim: ClaimedDelivery,
): Promise<RecordedAttempt | null> {
  const { form, database, sender, log, dispatcherId, now } = dependencies;
  const delivery = await beginAttempt(database.pool, form, claim, { dispatcherId, at: now() });
  if (!delivery) {
    const held = await holdDelivery(database.pool, claim, now());
    const why = held ? 'its endpoint is not active any more' : 'the claim does not hold any more';
    log.info({ delivery_id: claim.id, attempt: claim.attempt }, `${why}; nothing is sent`);
    return null;
  }

  const startedAt = now();
  const result = await sender.send({
    url: delivery.url,
    headers: deliveryHeaders(form, {
      eventId: delivery.eventId,
      body: delivery.body,
      at: startedAt,
      secrets: secretsOf(dependencies, delivery),
    }),
    body: delivery.body,
    timeoutMs: form.delivery.timeoutMs,
  });
  const outcome = {
    startedAt,
    endedAt: new Date(startedAt.getTime() + Math.round(result.durationMs)),
    status: result.status,
    error: result.error,
    responseExcerpt: result.responseExcerpt,
  };
  const recorded = await record(dependencies, delivery, outcome);
  log.info(
    {
      delivery_id: delivery.id,
      event_id: delivery.eventId,
      event: delivery.eventName,
      request_id: delivery.captureId,
      account_id: delivery.accountId,
      webhook_id: delivery.webhookId,
      // The host alone: paths and queries of webhooks often hold a token.
      receiver: delivery.host,
      attempt: delivery.attemptCount + 1,
      trigger: delivery.trigger,
      status: result.status,
      error: result.error,
      duration_ms: Math.round(result.durationMs),
      body_bytes: delivery.body.length,
      state: recorded?.state ?? 'claim lost',
    },
    'delivery attempt',
  );
  if (recorded) await noteHealth(dependencies, delivery, outcome, recorded.state);
  return recorded;
}

/** The outcome stands already: what goes wrong here is put right by the next attempt's. */
async function noteHealth(
  { database, log }: DeliverDependencies,
  delivery: DeliveryAttempt,
  outcome: AttemptOutcome,
  state: DeliveryState,
): Promise<void> {
  try {
    const disabled = await noteEndpointHealth(database.pool, delivery, outcome, state);
    if (disabled)
      log.warn({ webhook_id: delivery.webhookId, account_id: delivery.accountId }, 'an endpoint is disabled');
  } catch (error) {
    log.warn({ err: error, webhook_id: delivery.webhookId }, "an endpoint's health could not be noted");
  }
}

function secretsOf({ sealer }: DeliverDependencies, delivery: DeliveryAttempt): [string, string?] {
  const { webhookId } = delivery;
  const belongsTo = webhookId === null ? signingSecretOf(delivery.accountId) : endpointSecretOf(webhookId);
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
): Promise<RecordedAttempt | null> {
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
