import type { Queryable } from '../database.ts';
import { processAliveS } from '../liveness.ts';
import { apartForS } from './accounts-apart.ts';

/** The open captures of an account. */
export interface AccountEstimate {
  plan: string;
  /** The single captures that wait for scheduling. */
  waiting: number;
  /** The captures in the queue or being rendered, including items of batches. */
  inFlight: number;
  /** How many of `inFlight` are items of batches. */
  itemsInFlight: number;
  /** Whether it is apart, because its pages have spoilt browsers: it has fewer slots beside other accounts. */
  isApart: boolean;
}

/** The work that a new capture has to wait for. */
export interface QueueState {
  /** The captures in the queue that no worker has claimed. */
  enqueued: number;
  /** The accounts with open captures, by account id. */
  accounts: ReadonlyMap<string, AccountEstimate>;
  /** Whether any batch items wait; they take a quarter of the slots. */
  itemsWait: boolean;
  /** The pages of all live workers. */
  pages: number;
  /**
   * The captures that were rendered most recently, by account: their number and their total time on a page in milliseconds. The
   * sample covers only captures of the last ten minutes among the last 500 that ended, so it is empty if all 500 were cancelled
   * or cached.
   */
  ended: ReadonlyMap<string, { captures: number; totalMs: number }>;
}

/** The captures in the sample: enough to even out one slow page, few enough to follow a change. */
const sampleSize = 50;

/** The number of ended captures among which the sample is taken: cancelling a batch ends a thousand captures at once. */
const endedAtMost = 500;

/** Counting stops at this number, because more waiting captures do not change the estimate for a new capture. */
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

/** How the waiting captures are distributed over accounts. */
export interface WaitingAccounts {
  /** The number of accounts with waiting captures. */
  accounts: number;
  /** The waiting captures of the account that has the most. */
  largest: number;
}

/** Reads the distribution with an index-only scan of the waiting captures. */
export async function readWaitingAccounts(database: Queryable): Promise<WaitingAccounts> {
  const { rows } = await database.query({
    name: 'read-waiting-accounts',
    text: `SELECT count(*)::int AS accounts, coalesce(max(waiting), 0)::int AS largest
             FROM (SELECT count(*) AS waiting FROM capture
                    WHERE status = 'queued' AND enqueued_at IS NULL GROUP BY account_id) AS each`,
  });
  return rows[0];
}
