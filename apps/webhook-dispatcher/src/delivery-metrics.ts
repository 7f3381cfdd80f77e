import type { AttemptOutcome, RecordedAttempt } from '@capture/database/deliveries/next-state';
import type { SendError } from '@capture/egress/send-error';
import { Counter, Gauge, Histogram, type Registry } from '@capture/runtime/metrics/metrics';

/** What a dispatcher counts of its deliveries. */
export interface DeliveryMetrics {
  /** Deliveries that were due at these times are claimed now. */
  claimed(dueAt: readonly Date[], at: Date): void;
  /** @param recorded null where the claim was lost while the attempt was under way. */
  attempted(outcome: Pick<AttemptOutcome, 'error' | 'startedAt' | 'endedAt'>, recorded: RecordedAttempt | null): void;
  endpointDisabled(): void;
}

/** Every word for an attempt that failed. */
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

/** @param places deliveries that it sends at once. @param inFlight how many it is sending now. */
export function createDeliveryMetrics(
  registry: Registry,
  { places, inFlight }: { places: number; inFlight: () => number },
): DeliveryMetrics {
  const registers = [registry];
  const attempts = new Counter({
    name: 'capture_delivery_attempts_total',
    help: 'Attempts to deliver by what came of them, in the words of the delivery log; no error for one that was taken.',
    labelNames: ['outcome', 'error'],
    registers,
  });
  const durations = new Histogram({
    name: 'capture_delivery_attempt_duration_seconds',
    help: 'Time from the look-up of the receiver to the end of its answer.',
    labelNames: ['outcome'],
    // From a receiver in the same city to the longest time limit of a form (120 s).
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
    registers,
  });
  const lateness = new Histogram({
    name: 'capture_delivery_lateness_seconds',
    help: 'Time from when an attempt was due until it was claimed to be sent.',
    // It takes some milliseconds when told, a second when not; hours after an outage.
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200],
    registers,
  });
  const outcomes = new Counter({
    name: 'capture_delivery_outcomes_total',
    help: 'What recorded attempts led to: delivered, another attempt (pending), failed for good, or paused with its endpoint.',
    labelNames: ['state'],
    registers,
  });
  const disabled = new Counter({
    name: 'capture_webhook_endpoints_disabled_total',
    help: 'Endpoints that were disabled because every attempt had failed for days.',
    registers,
  });
  const sending = new Gauge({
    name: 'capture_deliveries_in_flight',
    help: 'Deliveries that this dispatcher is sending.',
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
  limit.set(places);
  // There from the beginning: of a number that appears, nobody knows by how much it has grown.
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
