import * as schemas from '@capture/contract/api/operator-responses';
import type { Database } from '@capture/database/database';
import { readProcesses } from '@capture/queue/process-reports';
import { askDatabase, useOf } from '@capture/runtime/metrics/database-metrics';
import { factsOf } from '@capture/runtime/metrics/redis-metrics';
import { withTimeout } from '@capture/runtime/timeout';
import type { Redis } from 'ioredis';
import type { Route } from '../../http/route.ts';

/** Longer than a healthy database ever takes, and as long as an operator likes to wait for a page, milliseconds. */
const timeoutMs = 2_000;

/**
 * The running processes as they report themselves, and the health of the two servers that all of them need. Reports are in
 * Redis: while Redis is unavailable, the list is empty.
 */
export function operatorProcessesRoute({ redis, database }: { redis: Redis; database: Database }): Route {
  return {
    method: 'GET',
    path: '/api/operator/processes',
    auth: 'operator',
    id: 'listProcesses',
    tag: 'Operator',
    summary: 'List running processes',
    description:
      'Gateways, workers with their browsers, and dispatchers, as each reports itself every 5 s. Reports are stored in Redis only.',
    responses: { 200: { description: 'The processes.', json: schemas.processList } },
    async handle({ res }) {
      const [processes, databaseState] = await Promise.all([
        askRedis(redis).catch(() => null),
        withTimeout(timeoutMs, askDatabase(database.pool), () => null).catch(() => null),
      ]);
      const { most, inUse, waiting } = useOf(database.pool);
      res.json({
        at: new Date().toISOString(),
        redis: processes?.redis ?? 'unavailable',
        database: {
          response_ms: databaseState && Math.round(databaseState.seconds * 1_000),
          clock_offset_ms: databaseState && Math.round(databaseState.clockOffset * 1_000),
          connections: most,
          connections_in_use: inUse,
          waiting,
        },
        processes: processes?.found ?? [],
      });
    },
  };
}

async function askRedis(redis: Redis) {
  const [found, info] = await Promise.all([readProcesses(redis), redis.info('memory')]);
  const { policy } = factsOf(info);
  return { found, redis: policy === 'noeviction' ? 'ok' : 'evicting' };
}
