import { readQueues } from '@capture/database/operator/read-queues';
import type { Dependencies } from '../../dependencies.ts';
import type { Route } from '../../http/route.ts';

/** What there is to do, of all accounts; the same while Redis is away. */
export function operatorQueuesRoute({ database }: Pick<Dependencies, 'database'>): Route {
  return {
    method: 'GET',
    path: '/api/operator/queues',
    auth: 'operator',
    cost: 'none',
    async handle({ res }) {
      const queues = await readQueues(database.pool, new Date());
      res.json({
        queues: queues.map(({ name, waiting, active, delayed, oldestWaitingS, workers }) => ({
          name,
          waiting,
          active,
          delayed,
          oldest_waiting_s: oldestWaitingS,
          workers,
        })),
      });
    },
  };
}
