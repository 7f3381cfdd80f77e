import { Counter, Gauge, Histogram, type Registry } from '@capture/runtime/metrics';

/** What the gateway measures of its requests. Labels come from the route table, never from a client. */
export function createHttpMetrics(registry: Registry, waiting: () => number) {
  new Gauge({
    name: 'capture_synchronous_waiting',
    help: 'Synchronous requests that wait for their capture.',
    registers: [registry],
    collect() {
      this.set(waiting());
    },
  });
  return {
    requests: new Counter({
      name: 'capture_http_requests_total',
      help: 'Requests by route and status.',
      labelNames: ['method', 'route', 'status'],
      registers: [registry],
    }),
    durations: new Histogram({
      name: 'capture_http_request_duration_seconds',
      help: 'Time from the request to the end of its answer.',
      labelNames: ['method', 'route'],
      // From a look-up to the longest capture that a client may ask for (120 s).
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
      registers: [registry],
    }),
  };
}

export type HttpMetrics = ReturnType<typeof createHttpMetrics>;
