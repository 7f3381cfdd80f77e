import * as schemas from '@capture/contract/api/operator-responses';
import type { Database } from '@capture/database/database';
import type { JobQueue } from '@capture/queue/job-queue';
import { withTimeout } from '@capture/runtime/timeout';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Route } from '../../http/route.ts';

/** A part that has not answered by then counts as away, milliseconds. */
const answerWithinMs = 2_000;

/** The process is alive; nothing else is asked, so that an outage of a database restarts nobody. */
export function healthRoute(): Route {
  return {
    method: 'GET',
    path: '/healthz',
    auth: 'none',
    cost: 'none',
    docs: {
      id: 'getHealth',
      tag: 'Service',
      summary: 'Whether the process is alive',
      responses: { 200: { description: 'It is.', json: z.strictObject({ status: z.literal('ok') }) } },
    },
    async handle({ res }) {
      res.json({ status: 'ok' });
    },
  };
}

/** Whether requests can be served: needs the database, tells of Redis and the workers without needing them. */
export function readyRoute({
  database,
  redis,
  captureQueue,
}: {
  database: Database;
  redis: Redis;
  captureQueue: JobQueue<'capture'>;
}): Route {
  return {
    method: 'GET',
    path: '/readyz',
    auth: 'none',
    cost: 'none',
    docs: {
      id: 'getReadiness',
      tag: 'Service',
      summary: 'Whether requests can be served',
      description: 'Needs the database; tells of Redis and the workers without needing them.',
      responses: {
        200: { description: 'They can.', json: schemas.readiness },
        503: { description: 'They cannot.', json: schemas.readiness },
      },
    },
    async handle({ res }) {
      const [databaseAnswers, redisAnswers, workers] = await Promise.all([
        answers(() => database.pool.query('SELECT 1')),
        answers(() => redis.ping()),
        withTimeout(answerWithinMs, captureQueue.workers(), () => null).catch(() => null),
      ]);
      res.status(databaseAnswers ? 200 : 503).json({
        status: databaseAnswers ? 'ready' : 'not ready',
        database: databaseAnswers ? 'ok' : 'away',
        redis: redisAnswers ? 'ok' : 'away',
        workers,
      });
    },
  };
}

async function answers(question: () => Promise<unknown>): Promise<boolean> {
  return withTimeout(
    answerWithinMs,
    question().then(() => true),
    () => false,
  ).catch(() => false);
}
