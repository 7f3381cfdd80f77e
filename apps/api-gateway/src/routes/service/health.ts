import * as schemas from '@capture/contract/api/operator-responses';
import type { Database } from '@capture/database/database';
import type { JobQueue } from '@capture/queue/job-queue';
import { withTimeout } from '@capture/runtime/timeout';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Route } from '../../http/route.ts';

/** A part that does not respond within this time counts as unavailable, milliseconds. */
const timeoutMs = 2_000;

/** Reports that the process is alive and checks nothing else: an outage of the database must not restart gateways. */
export function healthRoute(): Route {
  return {
    method: 'GET',
    path: '/healthz',
    auth: 'none',
    id: 'getHealth',
    tag: 'Service',
    summary: 'Check that the process is alive',
    description: 'For liveness probes: it asks neither Postgres nor Redis.',
    responses: { 200: { description: 'The process is alive.', json: z.strictObject({ status: z.literal('ok') }) } },
    async handle({ res }) {
      res.json({ status: 'ok' });
    },
  };
}

/**
 * Reports whether the gateway can serve requests: it needs the database, and reports Redis and the workers without needing them.
 */
export function readyRoute({
  database,
  redis,
  captureQueue,
}: {
  database: Database;
  redis: Redis;
  captureQueue: JobQueue<'capture'>;
}): Route {
  const check = async () => {
    const [databaseResponds, redisResponds, workers] = await Promise.all([
      responds(() => database.pool.query('SELECT 1')),
      responds(() => redis.ping()),
      withTimeout(timeoutMs, captureQueue.workers(), () => null).catch(() => null),
    ]);
    return { databaseResponds, redisResponds, workers };
  };
  /** Concurrent requests share one check: this path needs no key, so its cost must not grow with traffic. */
  let checking: ReturnType<typeof check> | null = null;
  return {
    method: 'GET',
    path: '/readyz',
    auth: 'none',
    id: 'getReadiness',
    tag: 'Service',
    summary: 'Check that the gateway can serve requests',
    description: 'Needs the database; reports Redis and the workers without needing them.',
    responses: {
      200: { description: 'Ready.', json: schemas.readiness },
      503: { description: 'Not ready.', json: schemas.readiness },
    },
    async handle({ res }) {
      checking ??= check().finally(() => {
        checking = null;
      });
      const { databaseResponds, redisResponds, workers } = await checking;
      res.status(databaseResponds ? 200 : 503).json({
        status: databaseResponds ? 'ready' : 'not ready',
        database: databaseResponds ? 'ok' : 'unavailable',
        redis: redisResponds ? 'ok' : 'unavailable',
        workers,
      });
    },
  };
}

async function responds(probe: () => Promise<unknown>): Promise<boolean> {
  return withTimeout(
    timeoutMs,
    probe().then(() => true),
    () => false,
  ).catch(() => false);
}
