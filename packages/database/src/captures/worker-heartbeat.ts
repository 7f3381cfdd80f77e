import type { Queryable } from '../database.ts';
import { captureLeaseMs } from './claim-capture.ts';

/**
 * A worker's sign of life: that it is there with so many pages, and still works on these captures. Each claim is renewed
 * by it.
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

/** A worker stops in order: nothing is enqueued for its pages any more. */
export async function deleteWorker(database: Queryable, workerId: string): Promise<void> {
  await database.query('DELETE FROM worker WHERE id = $1', [workerId]);
}

/** Removes the rows of workers that have been lost for a day. */
export async function deleteDeadWorkers(database: Queryable): Promise<void> {
  await database.query(`DELETE FROM worker WHERE heartbeat_at < now() - interval '1 day'`);
}
