import type { Dependencies } from '../../dependencies.ts';
import type { Route } from '../../http/route.ts';

/** What this process measured, for Prometheus. */
export function metricsRoute({ metrics }: Pick<Dependencies, 'metrics'>): Route {
  return {
    method: 'GET',
    path: '/metrics',
    auth: 'operator',
    cost: 'none',
    async handle({ res }) {
      res.setHeader('Content-Type', metrics.contentType);
      res.send(await metrics.metrics());
    },
  };
}
