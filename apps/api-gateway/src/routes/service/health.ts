import { soon } from '@capture/runtime/soon';
import type { Dependencies } from '../../dependencies.ts';
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
}: Pick<Dependencies, 'database' | 'redis' | 'captureQueue'>): Route {
  return {
    method: 'GET',
    path: '/readyz',
    auth: 'none',
    cost: 'none',
    async handle({ res }) {
      const [databaseAnswers, redisAnswers, workers] = await Promise.all([
        answers(() => database.pool.query('SELECT 1')),
        answers(() => redis.ping()),
        soon(() => captureQueue.workers(), answerWithinMs, null),
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
  return soon(() => question().then(() => true), answerWithinMs, false);
}
