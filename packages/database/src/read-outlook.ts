import type { Queryable } from './database.ts';

/** What is in front of a capture that comes in now. */
export interface QueueState {
  /** Captures in the queue that no worker has taken yet. */
  enqueued: number;
  /** Single captures that wait for their turn, by account. */
  waiting: ReadonlyMap<string, number>;
  /** Whether any batch items wait: they take a quarter of the places. */
  itemsWait: boolean;
  /** Pages of all workers that are alive. */
  pages: number;
  /** What the last captures took on a page, milliseconds; null if none ended lately. */
  meanDurationMs: number | null;
}

/** Captures over which the mean is taken: enough to even out one slow page, few enough to follow a change. */
const sample = 50;

/** Waiting captures that are counted at most; further ones change nothing for who comes now. */
const countAtMost = 20_000;

export async function readQueueState(database: Queryable): Promise<QueueState> {
  const { rows } = await database.query({
    name: 'read-queue-state',
    text: `SELECT
      (SELECT count(*)::int FROM capture WHERE status = 'queued' AND enqueued_at IS NOT NULL) AS enqueued,
      (SELECT coalesce(jsonb_object_agg(account_id, n), '{}') FROM (
         SELECT account_id, count(*)::int AS n FROM (
           SELECT account_id FROM capture
            WHERE status = 'queued' AND enqueued_at IS NULL AND batch_id IS NULL LIMIT $1) w
          GROUP BY account_id) counts) AS waiting,
      EXISTS (SELECT 1 FROM capture WHERE status = 'queued' AND enqueued_at IS NULL AND batch_id > '') AS "itemsWait",
      (SELECT coalesce(sum(pages), 0)::int FROM worker WHERE heartbeat_at > now() - interval '15 seconds') AS pages,
      (SELECT avg(duration_ms)::float8 FROM (
         SELECT duration_ms FROM capture
          WHERE completed_at > now() - interval '10 minutes' AND status IN ('completed', 'failed') AND NOT cached
          ORDER BY completed_at DESC LIMIT $2) latest) AS "meanDurationMs"`,
    values: [countAtMost, sample],
  });
  const [row] = rows;
  return { ...row, waiting: new Map(Object.entries(row.waiting)) };
}
