import type { Queryable } from '../database.ts';
import { dispatcherAliveS, workerAliveS } from '../liveness.ts';

/** What of one kind of work is to be done. */
export interface QueueLoad {
  name: 'captures' | 'deliveries';
  /** Due, and begun by nobody. */
  waiting: number;
  active: number;
  /** Due later. */
  delayed: number;
  /** Whole seconds; null if nothing waits. */
  oldestWaitingS: number | null;
  /** Processes that are alive and take from it. */
  workers: number;
}

/**
 * Reads what there is to do from where the truth is. Redis holds ids of a part of it, which would only be counted twice,
 * so nothing is asked of it and all figures stand while it is away. Reads what is open, from indexes of that alone.
 *
 * @param at what is due by now; the schedule of deliveries is kept by this clock.
 */
export async function readQueues(database: Queryable, at: Date): Promise<QueueLoad[]> {
  return Promise.all([readCaptures(database), readDeliveries(database, at)]);
}

async function readCaptures(database: Queryable): Promise<QueueLoad> {
  const { rows } = await database.query({
    name: 'read-capture-queue',
    // Ids begin with their time: the smallest is the oldest. Those whose turn has come are no more than a window.
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
    values: [workerAliveS],
  });
  return { name: 'captures', delayed: 0, ...rows[0] };
}

async function readDeliveries(database: Queryable, at: Date): Promise<QueueLoad> {
  const { rows } = await database.query({
    name: 'read-delivery-queue',
    // One that is claimed has the end of its lease for its next attempt: until then it is not due.
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
    values: [at, dispatcherAliveS],
  });
  return { name: 'deliveries', ...rows[0] };
}
