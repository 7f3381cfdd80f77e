import { readProcesses } from '@capture/queue/process-reports';
import type { Dependencies } from '../dependencies.ts';
import type { Route } from '../route.ts';

/** Who is there, in their own words. They are asked for in Redis: while it is away nobody can be. */
export function operatorProcessesRoute({ redis }: Pick<Dependencies, 'redis'>): Route {
  return {
    method: 'GET',
    path: '/api/operator/processes',
    auth: 'operator',
    cost: 'none',
    async handle({ res }) {
      const processes = await readProcesses(redis).catch(() => null);
      res.json({ redis: processes ? 'ok' : 'away', processes: processes ?? [] });
    },
  };
}
