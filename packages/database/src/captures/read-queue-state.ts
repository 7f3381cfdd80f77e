import type { Queryable } from '../database.ts';
import { workerAliveS } from '../liveness.ts';

/** What one account has before a further capture of its own. */
export interface AccountEstimate {
  plan: string;
  /** Its single captures that wait for their turn. */
  waiting: number;
  /** Its captures in the queue or being rendered, items of batches too. */
  inFlight: number;
}

/** What is in front of a capture that comes in now. */
export interface QueueState {
  /** Captures in the queue that no worker has taken yet. */
  enqueued: number;
  /** By account, those alone that have any. */
  accounts: ReadonlyMap<string, AccountEstimate>;
  /** Whether any batch items wait: they take a quarter of the places. */
  itemsWait: boolean;
  /** Pages of all workers that are alive. */
  pages: number;
  /** The last captures that ended lately, by account: how many, and what they took on a page in all, milliseconds. */
  ended: ReadonlyMap<string, { captures: number; totalMs: number }>;
}

/** Captures that ended lately are so many at most: enough to even out one slow page, few enough to follow a change. */
const sample = 50;

/** Waiting captures that are counted at most; further ones change nothing for who comes now. */
const countAtMost = 20_000;

export async function readQueueState(database: Queryable): Promise<QueueState> {
  const { rows } = await database.query({
    name: 'read-queue-state',
    text: `SELECT
      (SELECT count(*)::int FROM capture WHERE status = 'queued' AND enqueued_at IS NOT NULL) AS enqueued,
      (SELECT coalesce(jsonb_object_agg(a.id, jsonb_build_object(
                'plan', a.plan, 'waiting', counts.waiting, 'inFlight', counts.in_flight)), '{}')
         FROM (SELECT account_id, count(*) FILTER (WHERE waits) AS waiting, count(*) FILTER (WHERE NOT waits) AS in_flight
                 FROM ((SELECT account_id, true AS waits FROM capture
                         WHERE status = 'queued' AND enqueued_at IS NULL AND batch_id IS NULL LIMIT $1)
                       UNION ALL
                       SELECT account_id, false FROM capture WHERE status = 'queued' AND enqueued_at IS NOT NULL
                       UNION ALL
                       SELECT account_id, false FROM capture WHERE status = 'processing') each
                GROUP BY account_id) counts
         JOIN account a ON a.id = counts.account_id) AS accounts,
      EXISTS (SELECT 1 FROM capture WHERE status = 'queued' AND enqueued_at IS NULL AND batch_id > '') AS "itemsWait",
      (SELECT coalesce(sum(pages), 0)::int FROM worker WHERE heartbeat_at > now() - interval '${workerAliveS} seconds') AS pages,
      (SELECT coalesce(jsonb_object_agg(account_id, jsonb_build_object('captures', n, 'totalMs', total)), '{}') FROM (
         SELECT account_id, count(*) AS n, sum(duration_ms) AS total FROM (
           SELECT account_id, duration_ms FROM capture
            WHERE completed_at > now() - interval '10 minutes' AND status IN ('completed', 'failed') AND NOT cached
            ORDER BY completed_at DESC LIMIT $2) latest
          GROUP BY account_id) each) AS ended`,
    values: [countAtMost, sample],
  });
  const [row] = rows;
  return { ...row, accounts: new Map(Object.entries(row.accounts)), ended: new Map(Object.entries(row.ended)) };
}

/** How the captures that wait for their turn are spread over accounts. */
export interface WaitingAccounts {
  /** Accounts that have any. */
  accounts: number;
  /** Captures of the account that has the most. */
  largest: number;
}

/** Reads it from the index of waiting captures alone. */
export async function readWaitingAccounts(database: Queryable): Promise<WaitingAccounts> {
  const { rows } = await database.query({
    name: 'read-waiting-accounts',
    text: `SELECT count(*)::int AS accounts, coalesce(max(waiting), 0)::int AS largest
             FROM (SELECT count(*) AS waiting FROM capture
                    WHERE status = 'queued' AND enqueued_at IS NULL GROUP BY account_id) AS each`,
  });
  return rows[0];
}
