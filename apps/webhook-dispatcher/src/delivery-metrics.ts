import type { AttemptOutcome, RecordedAttempt } from '@capture/database/deliveries/next-state';
import type { SendError } from '@capture/egress/send-error';
import { Counter, Gauge, Histogram, type Registry } from '@capture/runtime/metrics/metrics';

export interface DeliveryMetrics {
  /** Counts deliveries that were due at these times and were claimed at `at`. */
  claimed(dueAt: readonly Date[], at: Date): void;
  /** @param recorded null if the claim was lost while the attempt was in progress. */
  attempted(outcome: Pick<AttemptOutcome, 'error' | 'startedAt' | 'endedAt'>, recorded: RecordedAttempt | null): void;
  endpointDisabled(): void;
}

/** Every error of a failed attempt. */
const attemptErrors: Readonly<Record<SendError | 'signing_key_gone', true>> = {
  timeout: true,
  dns: true,
  refused: true,
  reset: true,
  tls: true,
  redirect: true,
  blocked: true,
  invalid_response: true,
  http_4xx: true,
  http_5xx: true,
  signing_key_gone: true,
};

/**
 * @param slots the most deliveries sent at once.
 * @param inFlight returns the number of deliveries being sent now.
 */
export function createDeliveryMetrics(
  registry: Registry,
  { slots, inFlight }: { slots: number; inFlight: () => number },
): DeliveryMetrics {
  const registers = [registry];
  const attempts = new Counter({
    name: 'capture_delivery_attempts_total',
    help: 'Delivery attempts by outcome and error, as in the delivery log; the error of a success is empty.',
    labelNames: ['outcome', 'error'],
    registers,
  });
  const durations = new Histogram({
    name: 'capture_delivery_attempt_duration_seconds',
    help: 'Time from the DNS look-up of the receiver to the end of its response.',
    labelNames: ['outcome'],
    // The buckets reach from a receiver in the same city to the longest timeout of a form (120 s).
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
    registers,
  });
  const lateness = new Histogram({
    name: 'capture_delivery_lateness_seconds',
    help: 'Time from when an attempt was due until it was claimed.',
    // The expected times are some milliseconds after a wake-up, a second without a wake-up, and hours after an outage.
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200],
    registers,
  });
  const outcomes = new Counter({
    name: 'capture_delivery_outcomes_total',
    help: 'Recorded attempts by the resulting state of their delivery: delivered, pending (will be retried), failed, paused with its endpoint.',
    labelNames: ['state'],
    registers,
  });
  const disabled = new Counter({
    name: 'capture_webhook_endpoints_disabled_total',
    help: 'Endpoints disabled after days in which every attempt failed.',
    registers,
  });
  const sending = new Gauge({
    name: 'capture_deliveries_in_flight',
    help: 'Deliveries being sent by this dispatcher.',
    registers,
    collect() {
      sending.set(inFlight());
    },
  });
  const limit = new Gauge({
    name: 'capture_delivery_slots',
    help: 'Deliveries that this dispatcher sends at once at most.',
    registers,
  });
  limit.set(slots);
  // Each series starts at zero, because Prometheus cannot compute the increase of a series that appears later.
  for (const error of Object.keys(attemptErrors)) attempts.inc({ outcome: 'failure', error }, 0);
  attempts.inc({ outcome: 'success', error: '' }, 0);
  for (const state of ['delivered', 'pending', 'failed', 'paused']) outcomes.inc({ state }, 0);
  return {
    claimed(dueAt, at) {
      for (const due of dueAt) lateness.observe(Math.max(0, at.getTime() - due.getTime()) / 1_000);
    },
    attempted({ error, startedAt, endedAt }, recorded) {
      const outcome = error === null ? 'success' : 'failure';
      attempts.inc({ outcome, error: error ?? '' });
      durations.observe({ outcome }, (endedAt.getTime() - startedAt.getTime()) / 1_000);
      outcomes.inc({ state: recorded?.state ?? 'claim lost' });
    },
    endpointDisabled: () => disabled.inc(),
  };
}
