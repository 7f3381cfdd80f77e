import type { Queryable } from '../database.ts';
import { processAliveS } from '../liveness.ts';
import { apartForS } from './accounts-apart.ts';

/** An account's open captures. */
export interface AccountEstimate {
  plan: string;
  /** Single captures that wait for their turn. */
  waiting: number;
  /** Captures in the queue or being rendered, items of batches included. */
  inFlight: number;
  /** How many of those are items of batches. */
  itemsInFlight: number;
  /** Whether it is apart, because its pages have spoilt browsers: it has fewer slots beside other accounts. */
  isApart: boolean;
}

/** What a new capture has ahead of it. */
export interface QueueState {
  /** Captures in the queue that no worker has claimed. */
  enqueued: number;
  /** By account id; only accounts with open captures. */
  accounts: ReadonlyMap<string, AccountEstimate>;
  /** Whether any batch items wait: they take a quarter of the slots. */
  itemsWait: boolean;
  /** Pages of all live workers. */
  pages: number;
  /**
   * The captures that were rendered most recently, by account: their number and total time on a page, milliseconds. Only those
   * of the last ten minutes that are among the last 500 to end: empty if all 500 were cancelled or cached.
   */
  ended: ReadonlyMap<string, { captures: number; totalMs: number }>;
}

/** Recently ended captures in the sample: enough to even out one slow page, few enough to follow a change. */
const sampleSize = 50;

/** The sample is looked for among so many that have ended: a cancelled batch puts a thousand before it at once. */
const endedAtMost = 500;

/** Counting stops here: more waiting captures do not change the estimate of a new one. */
const countAtMost = 20_000;

export async function readQueueState(database: Queryable): Promise<QueueState> {
  const { rows } = await database.query({
    name: 'read-queue-state',
    text: `SELECT
      (SELECT count(*)::int FROM capture WHERE status = 'queued' AND enqueued_at IS NOT NULL) AS enqueued,
      (SELECT coalesce(jsonb_object_agg(a.id, jsonb_build_object(
                'plan', a.plan, 'waiting', counts.waiting, 'inFlight', counts.in_flight,
                'itemsInFlight', counts.items,
                'isApart', coalesce(turn.flooded_at > now() - make_interval(secs => $4), false))), '{}')
         FROM (SELECT account_id, count(*) FILTER (WHERE waits) AS waiting, count(*) FILTER (WHERE NOT waits) AS in_flight,
                      count(batch_id) FILTER (WHERE NOT waits) AS items
                 FROM ((SELECT account_id, true AS waits, batch_id FROM capture
                         WHERE status = 'queued' AND enqueued_at IS NULL AND batch_id IS NULL LIMIT $1)
                       UNION ALL
                       SELECT account_id, false, batch_id FROM capture WHERE status = 'queued' AND enqueued_at IS NOT NULL
                       UNION ALL
                       SELECT account_id, false, batch_id FROM capture WHERE status = 'processing') each
                GROUP BY account_id) counts
         JOIN account a ON a.id = counts.account_id
         LEFT JOIN account_turn turn ON turn.account_id = a.id) AS accounts,
      EXISTS (SELECT 1 FROM capture WHERE status = 'queued' AND enqueued_at IS NULL AND batch_id > '') AS "itemsWait",
      (SELECT coalesce(sum(pages), 0)::int FROM worker WHERE heartbeat_at > now() - interval '${processAliveS} seconds') AS pages,
      (SELECT coalesce(jsonb_object_agg(account_id, jsonb_build_object('captures', n, 'totalMs', total)), '{}') FROM (
         SELECT account_id, count(*) AS n, sum(duration_ms) AS total FROM (
           SELECT account_id, duration_ms FROM (
             SELECT account_id, duration_ms, completed_at, status, cached FROM capture
              WHERE completed_at > now() - interval '10 minutes' ORDER BY completed_at DESC LIMIT $3) ended
            WHERE status IN ('completed', 'failed') AND NOT cached ORDER BY completed_at DESC LIMIT $2) latest
          GROUP BY account_id) each) AS ended`,
    values: [countAtMost, sampleSize, endedAtMost, apartForS],
  });
  const [row] = rows;
  return { ...row, accounts: new Map(Object.entries(row.accounts)), ended: new Map(Object.entries(row.ended)) };
}

/** How waiting captures are spread over accounts. */
export interface WaitingAccounts {
  /** Accounts with waiting captures. */
  accounts: number;
  /** Waiting captures of the account with the most. */
  largest: number;
}

/** An index-only scan of the waiting captures. */
export async function readWaitingAccounts(database: Queryable): Promise<WaitingAccounts> {
  const { rows } = await database.query({
    name: 'read-waiting-accounts',
    text: `SELECT count(*)::int AS accounts, coalesce(max(waiting), 0)::int AS largest
             FROM (SELECT count(*) AS waiting FROM capture
                    WHERE status = 'queued' AND enqueued_at IS NULL GROUP BY account_id) AS each`,
  });
  return rows[0];
}
