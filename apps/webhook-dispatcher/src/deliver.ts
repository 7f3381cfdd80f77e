import { setTimeout as delay } from 'node:timers/promises';
import { deliveryHeaders } from '@capture/contract/forms/delivery-headers';
import type { ContractForm } from '@capture/contract/forms/forms';
import { endpointSecretOf, signingSecretOf } from '@capture/database/accounts/signing-secret';
import type { Database } from '@capture/database/database';
import type { DeliveryAttempt } from '@capture/database/deliveries/begin-attempt';
import { attemptLeaseMs, holdDelivery } from '@capture/database/deliveries/begin-attempt';
import type { ClaimedDelivery } from '@capture/database/deliveries/claim-deliveries';
import type { AttemptOutcome, DeliveryState, RecordedAttempt } from '@capture/database/deliveries/next-state';
import type { Encryptor } from '@capture/database/encryption';
import { noteEndpointHealth } from '@capture/database/endpoints/endpoint-health';
import type { HttpsSender, SendResult } from '@capture/egress/https-sender';
import type { Logger } from '@capture/runtime/service/log';
import { inSpan, type Span } from '@capture/runtime/tracing/trace';
import { requestAttributes, startAttemptSpan } from './attempt-span.ts';
import type { Attempts } from './attempts.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';

export interface DeliverDependencies {
  form: ContractForm;
  database: Pick<Database, 'pool'>;
  encryptor: Encryptor;
  sender: HttpsSender;
  log: Logger;
  metrics: Pick<DeliveryMetrics, 'attempted' | 'endpointDisabled'>;
  attempts: Attempts;
  now: () => Date;
}

/**
 * Sends one claimed attempt: begins it, signs the stored bytes, sends them and records the outcome. Sends nothing without a valid
 * claim.
 *
 * @returns the recorded outcome; null if nothing was sent or the claim was lost meanwhile.
 */
export async function deliver(
  dependencies: DeliverDependencies,
  claim: ClaimedDelivery,
): Promise<RecordedAttempt | null> {
  const { form, database, log, attempts } = dependencies;
  const beginning = performance.now();
  const delivery = await attempts.begin(claim);
  if (!delivery) {
    const held = await holdDelivery(database.pool, claim);
    const why = held ? 'its endpoint is not active or has another URL' : 'its claim is no longer valid';
    log.info({ delivery_id: claim.id, attempt: claim.attempt }, `not sent: ${why}`);
    return null;
  }
  // The process was frozen, or its machine suspended, before it read that the attempt had begun.
  if (performance.now() - beginning > attemptLeaseMs(form)) {
    log.warn(
      { delivery_id: claim.id, attempt: claim.attempt },
      'not sent: its claim expired before this process continued',
    );
    return null;
  }
  const span = startAttemptSpan(delivery, { from: beginning, to: performance.now() });
  try {
    return await span.run(() => attempt(dependencies, delivery, span));
  } catch (error) {
    span.failed('not recorded');
    throw error;
  } finally {
    span.end();
  }
}

async function attempt(
  dependencies: DeliverDependencies,
  delivery: DeliveryAttempt,
  span: Span,
): Promise<RecordedAttempt | null> {
  const { log, metrics, now } = dependencies;
  const secrets = decryptSecrets(dependencies, delivery);
  const startedAt = now();
  const result = secrets ? await send(dependencies, delivery, secrets, startedAt) : unsigned;
  const outcome = {
    startedAt,
    endedAt: new Date(startedAt.getTime() + Math.round(result.durationMs)),
    status: result.status,
    error: result.error,
    lookUpTimedOut: result.lookUpTimedOut,
    responseExcerpt: result.responseExcerpt,
  };
  const recorded = await inSpan('record', {}, () => record(dependencies, delivery, outcome));
  metrics.attempted(outcome, recorded);
  span.note({ 'capture.delivery_state': recorded?.state ?? 'claim lost' });
  if (result.error !== null) span.failed(result.error);
  log.info(
    {
      delivery_id: delivery.id,
      event_id: delivery.eventId,
      event: delivery.eventName,
      request_id: delivery.captureId,
      account_id: delivery.accountId,
      webhook_id: delivery.webhookId,
      // Only the host is logged, because paths and queries of webhooks often contain a token.
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
  // An attempt that could not be signed says nothing about its endpoint.
  if (recorded && secrets) await noteHealth(dependencies, delivery, outcome, recorded.state);
  return recorded;
}

/** Records the endpoint's health. The outcome is already recorded, and the next attempt corrects a failure here. */
async function noteHealth(
  { database, log, metrics }: DeliverDependencies,
  delivery: DeliveryAttempt,
  outcome: AttemptOutcome,
  state: DeliveryState,
): Promise<void> {
  try {
    const disabled = await noteEndpointHealth(database.pool, delivery, outcome, state);
    if (!disabled) return;
    metrics.endpointDisabled();
    log.warn({ webhook_id: delivery.webhookId, account_id: delivery.accountId }, 'endpoint disabled');
  } catch (error) {
    log.warn({ err: error, webhook_id: delivery.webhookId }, "cannot record an endpoint's health");
  }
}

type Secrets = [current: string, previous?: string];

function send(
  { form, sender }: DeliverDependencies,
  { url, accountId, eventId, body }: DeliveryAttempt,
  secrets: Secrets,
  at: Date,
): Promise<SendResult> {
  const headers = deliveryHeaders(form, { eventId, body, at, secrets });
  return inSpan('POST', { kind: 'client', attributes: requestAttributes(url) }, async (span) => {
    const result = await sender.send({ url, accountId, headers, body, timeoutMs: form.delivery.timeoutMs });
    if (result.status !== null) span.note({ 'http.response.status_code': result.status });
    if (result.error !== null) span.failed(result.error);
    return result;
  });
}

/** The result of an attempt whose secret cannot be decrypted. The attempt fails like any other, and its schedule continues. */
const unsigned = {
  status: null,
  error: 'signing_key_gone',
  lookUpTimedOut: false,
  durationMs: 0,
  responseExcerpt: null,
} as const;

/** @returns null if the secrets are encrypted with a key that is no longer set. */
function decryptSecrets({ encryptor, log }: DeliverDependencies, delivery: DeliveryAttempt): Secrets | null {
  const { webhookId } = delivery;
  const belongsTo = webhookId === null ? signingSecretOf(delivery.accountId) : endpointSecretOf(webhookId);
  try {
    const current = encryptor.decrypt(delivery.signingSecret, belongsTo);
    if (delivery.previousSigningSecret === null) return [current];
    return [current, encryptor.decrypt(delivery.previousSigningSecret, belongsTo)];
  } catch (error) {
    log.error(
      { err: error, delivery_id: delivery.id, account_id: delivery.accountId },
      'cannot decrypt the signing secret',
    );
    return null;
  }
}

/** The delays between tries to record an outcome, milliseconds: 7.5 s in total, enough for a quick restart of Postgres. */
const recordRetryMs = [500, 2_000, 5_000];

/**
 * Records the outcome, with retries: a delivery without a recorded outcome is sent again when its claim expires, so the receiver
 * would get it twice.
 */
async function record(
  { attempts, log }: DeliverDependencies,
  delivery: DeliveryAttempt,
  outcome: AttemptOutcome,
): Promise<RecordedAttempt | null> {
  for (const waitMs of recordRetryMs) {
    try {
      return await attempts.record(delivery, outcome);
    } catch (error) {
      log.warn({ err: error, delivery_id: delivery.id }, 'cannot record an outcome; trying again');
      await delay(waitMs);
    }
  }
  return attempts.record(delivery, outcome);
}
