import type { deliveryFilter } from '@capture/contract/api/webhook-requests';
import { ApiError } from '@capture/contract/errors';
import type { DeliveryWithAttempts, StoredDelivery } from '@capture/database/deliveries/find-deliveries';
import type { StoredEndpoint } from '@capture/database/endpoints/endpoints';
import type { z } from 'zod';

export const noSuchEndpoint = () => new ApiError('NOT_FOUND', 'This account has no webhook with this ID (wh_…).');

/** A registered endpoint in the API's format. */
export function endpointRecord(endpoint: StoredEndpoint) {
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events,
    status: endpoint.status,
    disabled_reason: endpoint.disabledReason,
    failing_since: endpoint.failingSince?.toISOString() ?? null,
    created_at: endpoint.createdAt.toISOString(),
  };
}

/** Finds the deliveries that a list's query selects, and one more if there is a next page. */
export function deliveriesOf(query: z.output<ReturnType<typeof deliveryFilter>>, accountId: string | null) {
  return {
    accountId,
    webhookId: query.webhook_id ?? null,
    status: query.status ?? null,
    event: query.event ?? null,
    since: query.since ?? null,
    until: query.until ?? null,
    after: query.cursor ?? null,
    limit: query.limit + 1,
  };
}

/** A delivery in the API's format. */
export function deliveryRecord(delivery: StoredDelivery) {
  return {
    id: delivery.id,
    event: delivery.event,
    event_id: delivery.eventId,
    request_id: delivery.captureId,
    batch_id: delivery.batchId,
    webhook_id: delivery.webhookId,
    url: delivery.url,
    status: delivery.status,
    attempt_count: delivery.attemptCount,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
    created_at: delivery.createdAt.toISOString(),
    completed_at: delivery.completedAt?.toISOString() ?? null,
  };
}

/** A delivery with its payload and its last attempts, oldest first. */
export function deliveryWithAttempts(delivery: DeliveryWithAttempts) {
  return {
    ...deliveryRecord(delivery),
    payload: JSON.parse(delivery.body.toString('utf8')),
    attempts: delivery.attempts.map((attempt) => ({
      number: attempt.number,
      trigger: attempt.trigger,
      started_at: attempt.startedAt.toISOString(),
      duration_ms: attempt.durationMs,
      status: attempt.status,
      error: attempt.error,
      response_excerpt: attempt.responseExcerpt,
    })),
  };
}
