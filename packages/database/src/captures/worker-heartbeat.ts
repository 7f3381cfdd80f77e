import type { Queryable } from '../database.ts';
import { captureLeaseMs } from './claim-capture.ts';

/** A claim that expires within this many seconds is renewed, so each claim is renewed every 3 s. */
const renewBeforeS = captureLeaseMs / 1_000 - 3;

/**
 * Reports that a worker is alive with this many pages and still works on these captures. Renews the worker's claims every 3 s and
 * only reads in between. A capture whose row is locked by another transaction is ending or is renewed next time, so one lock
 * never delays the claims on other captures.
 *
 * @returns the captures that the worker still owns, with their attempts. The missing captures were cancelled or recovered, or
 * have ended.
 */
export async function sendHeartbeat(
  database: Queryable,
  worker: { id: string; pages: number; captureIds: readonly string[] },
): Promise<[id: string, attempt: number][]> {
  const { rows } = await database.query<{ id: string; attempt: number }>({
    name: 'send-heartbeat',
    text: `WITH alive AS (
             INSERT INTO worker AS w (id, pages, heartbeat_at) VALUES ($1, $2, now())
             ON CONFLICT (id) DO UPDATE SET pages = excluded.pages, heartbeat_at = excluded.heartbeat_at
               WHERE w.pages <> excluded.pages OR w.heartbeat_at < now() - interval '2 seconds'
           ), due AS (
             SELECT id FROM capture
              WHERE id = ANY($3) AND status = 'processing' AND worker_id = $1
                AND lease_until < now() + make_interval(secs => $5)
                FOR UPDATE SKIP LOCKED
           ), renewed AS (
             UPDATE capture SET lease_until = now() + make_interval(secs => $4) WHERE id = ANY (ARRAY(SELECT id FROM due))
           )
           SELECT id, attempt FROM capture WHERE id = ANY($3) AND status = 'processing' AND worker_id = $1`,
    values: [worker.id, worker.pages, worker.captureIds, captureLeaseMs / 1_000, renewBeforeS],
  });
  return rows.map(({ id, attempt }) => [id, attempt]);
}

/** Removes a worker that shuts down, so that no more captures are enqueued for its pages. */
export async function deleteWorker(database: Queryable, workerId: string): Promise<void> {
  await database.query('DELETE FROM worker WHERE id = $1', [workerId]);
}

/** Removes workers whose last heartbeat is a day old. */
export async function deleteDeadWorkers(database: Queryable): Promise<void> {
  await database.query(`DELETE FROM worker WHERE heartbeat_at < now() - interval '1 day'`);
}
