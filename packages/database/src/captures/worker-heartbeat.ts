import type { Queryable } from '../database.ts';
import { captureLeaseMs } from './claim-capture.ts';

/**
 * Reports that a worker is alive with this many pages and still works on these captures, and renews its claims on them.
 */
export async function sendHeartbeat(
  database: Queryable,
  worker: { id: string; pages: number; captureIds: readonly string[] },
): Promise<void> {
  await database.query({
    name: 'send-heartbeat',
    text: `WITH alive AS (
             INSERT INTO worker (id, pages, heartbeat_at) VALUES ($1, $2, now())
             ON CONFLICT (id) DO UPDATE SET pages = excluded.pages, heartbeat_at = excluded.heartbeat_at
           )
           UPDATE capture SET lease_until = now() + make_interval(secs => $4)
            WHERE id = ANY($3) AND status = 'processing' AND worker_id = $1`,
    values: [worker.id, worker.pages, worker.captureIds, captureLeaseMs / 1_000],
  });
}

/** Removes a worker that shuts down: captures are no longer enqueued for its pages. */
export async function deleteWorker(database: Queryable, workerId: string): Promise<void> {
  await database.query('DELETE FROM worker WHERE id = $1', [workerId]);
}

/** Removes workers whose last heartbeat is a day old. */
export async function deleteDeadWorkers(database: Queryable): Promise<void> {
  await database.query(`DELETE FROM worker WHERE heartbeat_at < now() - interval '1 day'`);
}
