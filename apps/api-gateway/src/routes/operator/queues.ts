import * as schemas from '@capture/contract/api/account-responses';
import type { Database } from '@capture/database/database';
import { readQueues } from '@capture/database/operator/read-queues';
import type { Route } from '../../http/route.ts';

/** The queues of all accounts, also while Redis is unavailable. */
export function operatorQueuesRoute({ database }: { database: Database }): Route {
  return {
    method: 'GET',
    path: '/api/operator/queues',
    auth: 'operator',
    id: 'readQueues',
    tag: 'Operator',
    summary: 'Get the queues',
    description: 'From the database, the source of truth; also available while Redis is not.',
    responses: { 200: { description: 'The queues.', json: schemas.queueList } },
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
