import type { Queryable } from '../database.ts';
import { processAliveS } from '../liveness.ts';

export interface QueueLoad {
  name: 'captures' | 'deliveries';
  /** The jobs that are due but have not started. */
  waiting: number;
  active: number;
  /** The jobs that are due later. */
  delayed: number;
  /** The age of the oldest waiting job in whole seconds; null if no job is waiting. */
  oldestWaitingS: number | null;
  /** The live processes that work on the queue. */
  workers: number;
}

/**
 * Reads the load of the queues from Postgres, the source of truth. Redis only has the ids of a part of the work and is not
 * asked, so all figures are complete even while Redis is unavailable. Reads only the indexes of open work.
 *
 * @param at the current time by the clock that schedules deliveries.
 */
export async function readQueues(database: Queryable, at: Date): Promise<QueueLoad[]> {
  return Promise.all([readCaptures(database), readDeliveries(database, at)]);
}

async function readCaptures(database: Queryable): Promise<QueueLoad> {
  const { rows } = await database.query({
    name: 'read-capture-queue',
    // An id begins with its creation time, so the smallest id is the oldest. The number of scheduled captures is bounded by the
    // window.
    text: `WITH waiting AS (
             SELECT count(*)::int AS count, min(id) AS oldest FROM capture
              WHERE status = 'queued' AND enqueued_at IS NULL
              UNION ALL
             SELECT count(*)::int, min(id) FROM capture WHERE status = 'queued' AND enqueued_at IS NOT NULL
           )
           SELECT (SELECT sum(count)::int FROM waiting) AS waiting,
                  (SELECT count(*)::int FROM capture WHERE status = 'processing') AS active,
                  (SELECT greatest(0, extract(epoch FROM now() - created_at))::int FROM capture
                    WHERE id = (SELECT min(oldest) FROM waiting)) AS "oldestWaitingS",
                  (SELECT count(*)::int FROM worker
                    WHERE pages > 0 AND heartbeat_at > now() - make_interval(secs => $1)) AS workers`,
    values: [processAliveS],
  });
  return { name: 'captures', delayed: 0, ...rows[0] };
}

async function readDeliveries(database: Queryable, at: Date): Promise<QueueLoad> {
  const { rows } = await database.query({
    name: 'read-delivery-queue',
    // The next attempt of a claimed delivery is at the end of its lease, so the delivery is not due before.
    text: `WITH open AS (
             SELECT count(*) FILTER (WHERE next_attempt_at <= $1) AS due,
                    count(*) FILTER (WHERE next_attempt_at > $1) AS later,
                    min(next_attempt_at) AS first
               FROM delivery WHERE status = 'pending'
           ), claimed AS (
             SELECT count(*) FILTER (WHERE begun_attempt = attempt) AS active,
                    count(*) FILTER (WHERE begun_attempt < attempt) AS waiting
               FROM delivery WHERE status = 'pending' AND lease_until > $1
           )
           SELECT (due + claimed.waiting)::int AS waiting, claimed.active::int AS active,
                  greatest(0, later - claimed.active - claimed.waiting)::int AS delayed,
                  CASE WHEN due > 0 THEN extract(epoch FROM $1 - first)::int
                       WHEN claimed.waiting > 0 THEN 0 END AS "oldestWaitingS",
                  (SELECT count(*)::int FROM dispatcher
                    WHERE heartbeat_at > now() - make_interval(secs => $2)) AS workers
             FROM open, claimed`,
    values: [at, processAliveS],
  });
  return { name: 'deliveries', ...rows[0] };
}
