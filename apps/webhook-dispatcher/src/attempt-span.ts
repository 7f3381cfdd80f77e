import type { DeliveryAttempt } from '@capture/database/deliveries/begin-attempt';
import { jobs } from '@capture/queue/catalog';
import { noSpan, noteSpan, type Span, startSpanOf } from '@capture/runtime/tracing/trace';

/**
 * Starts the span of one delivery attempt, in the trace of the request that created its capture or batch, however long ago.
 *
 * @param beginning when its row was read and updated, `performance.now()`.
 */
export function startAttemptSpan(delivery: DeliveryAttempt, beginning: { from: number; to: number }): Span {
  const { captureId, batchId } = delivery;
  const trace = batchId ?? captureId;
  if (trace === null) return noSpan;
  const span = startSpanOf(trace, `process ${jobs.delivery.queue}`, {
    kind: 'consumer',
    startedAt: beginning.from,
    attributes: {
      'messaging.system': 'bullmq',
      'messaging.destination.name': jobs.delivery.queue,
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'capture.account_id': delivery.accountId,
      'capture.delivery_id': delivery.id,
      'capture.event_id': delivery.eventId,
      'capture.event': delivery.eventName,
      ...(captureId !== null && { 'capture.request_id': captureId }),
      ...(batchId !== null && { 'capture.batch_id': batchId }),
      ...(delivery.webhookId !== null && { 'capture.webhook_id': delivery.webhookId }),
      'capture.attempt': delivery.attemptCount + 1,
      'capture.trigger': delivery.trigger,
      'server.address': delivery.host,
    },
  });
  span.run(() => noteSpan('begin', { startedAt: beginning.from }, beginning.to));
  return span;
}

/** Returns the host and port of a receiver's URL. The path and query are left out, because they often contain a token. */
export function requestAttributes(url: string): Record<string, string | number> {
  const method = { 'http.request.method': 'POST' };
  if (!URL.canParse(url)) return method;
  const { hostname, port } = new URL(url);
  return { ...method, 'server.address': hostname, 'server.port': port === '' ? 443 : Number(port) };
}
