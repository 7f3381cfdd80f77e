import { type ApiError, errorStatus } from '@capture/contract/errors';
import { Counter, Gauge, Histogram, type Registry } from '@capture/runtime/metrics/metrics';
import type { Caller } from './exchange.ts';

/** The metrics of requests. Labels come from the route table, never from a client. */
export function createHttpMetrics(registry: Registry, waiting: () => number) {
  new Gauge({
    name: 'capture_synchronous_waiting',
    help: 'Synchronous requests waiting for their capture.',
    registers: [registry],
    collect() {
      this.set(waiting());
    },
  });
  const metrics = {
    requests: new Counter({
      name: 'capture_http_requests_total',
      help: 'Requests by route and status.',
      labelNames: ['method', 'route', 'status'],
      registers: [registry],
    }),
    durations: new Histogram({
      name: 'capture_http_request_duration_seconds',
      help: 'Time from the request to the end of its response.',
      labelNames: ['method', 'route'],
      // The buckets reach from a look-up to the longest capture that a client may request (120 s).
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
      registers: [registry],
    }),
    errors: new Counter({
      name: 'capture_http_errors_total',
      help: 'Error responses by code, including those of synchronous captures that failed.',
      labelNames: ['error_code'],
      registers: [registry],
    }),
    throttled: new Counter({
      name: 'capture_throttled_total',
      help: 'Requests refused with 429, by the exceeded limit and the plan; the plan is empty for a request without a valid key.',
      labelNames: ['reason', 'plan'],
      registers: [registry],
    }),
  };
  // Each series exists from the start: a series that appears with its first error shows no increase.
  for (const code of Object.keys(errorStatus)) metrics.errors.inc({ error_code: code }, 0);
  return metrics;
}

export type HttpMetrics = ReturnType<typeof createHttpMetrics>;

/** The name of the client address limit of each route. */
const limitOfRoute: Readonly<Record<string, string>> = {
  '/api/auth/register': 'registrations',
  '/api/auth/session': 'sign_ins',
  '/api/auth/sign-in-link': 'sign_in_links',
};

export function noteRefusal(
  { errors, throttled }: HttpMetrics,
  { code, status }: ApiError,
  { route, caller }: { route: string; caller: Pick<Caller, 'planName'> | undefined },
): void {
  errors.inc({ error_code: code });
  if (status !== 429) return;
  const limit = caller ? 'rate' : (limitOfRoute[route] ?? 'keys');
  throttled.inc({ reason: code === 'QUOTA_EXCEEDED' ? 'quota' : limit, plan: caller?.planName ?? '' });
}
