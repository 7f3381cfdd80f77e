import type { Registry } from '@capture/runtime/metrics/metrics';
import type { Route } from '../../http/route.ts';

export function metricsRoute({ metrics }: { metrics: Registry }): Route {
  return {
    method: 'GET',
    path: '/metrics',
    auth: 'operator',
    id: 'getMetrics',
    tag: 'Service',
    summary: 'Get metrics for Prometheus',
    description: 'In the text format of Prometheus. Needs the operator key.',
    responses: {
      200: {
        description: 'The metrics.',
        media: ['text/plain'],
        example: 'capture_http_requests_total{method="GET",route="/api/v1/screenshot",status="200"} 42',
      },
    },
    async handle({ res }) {
      res.setHeader('Content-Type', metrics.contentType);
      res.send(await metrics.metrics());
    },
  };
}
