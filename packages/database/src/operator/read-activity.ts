import type { Queryable } from '../database.ts';
import { firstIdAt } from '../ids.ts';

export interface MinuteActivity {
  /** The start of the minute. */
  at: Date;
  /** The captures that ended in this minute, by outcome, without cached captures. */
  completed: number;
  failed: number;
  cancelled: number;
  /** The rendering time of captures, milliseconds; null if none ended. */
  p50Ms: number | null;
  p95Ms: number | null;
  /** How long single captures waited for a worker, milliseconds. Batch items are left out because they wait by design. */
  waitedP95Ms: number | null;
  /** The delivery attempts that began in this minute. */
  deliveriesSucceeded: number;
  deliveriesFailed: number;
}

const minuteMs = 60_000;

const nothing = {
  completed: 0,
  failed: 0,
  cancelled: 0,
  p50Ms: null,
  p95Ms: null,
  waitedP95Ms: null,
  deliveriesSucceeded: 0,
  deliveriesFailed: 0,
};

/**
 * Reads the activity of each of the last minutes, the oldest first; the last minute is the current one. Reads both tables from an
 * index on the time, so the cost depends only on these minutes: one second for an hour with 200,000 captures (60 per second). A
 * whole day at that rate would exceed the statement timeout.
 */
export async function readActivity(database: Queryable, of: { minutes: number; at: Date }): Promise<MinuteActivity[]> {
  const last = Math.floor(of.at.getTime() / minuteMs) * minuteMs;
  const since = new Date(last - (of.minutes - 1) * minuteMs);
  const [captures, attempts] = await Promise.all([
    database.query<ActivityRow>(capturesQuery(since)),
    database.query<ActivityRow>(attemptsQuery(since)),
  ]);
  const known = new Map<number, Partial<MinuteActivity>>();
  for (const { at, ...row } of [...captures.rows, ...attempts.rows]) {
    known.set(at.getTime(), { ...known.get(at.getTime()), ...row });
  }
  return Array.from({ length: of.minutes }, (_, i) => {
    const at = new Date(since.getTime() + i * minuteMs);
    return { ...nothing, ...known.get(at.getTime()), at };
  });
}

type ActivityRow = Pick<MinuteActivity, 'at'> & Partial<MinuteActivity>;

export function capturesQuery(since: Date) {
  return {
    name: 'read-activity-of-captures',
    text: `SELECT date_trunc('minute', completed_at, 'UTC') AS at,
                  count(*) FILTER (WHERE status = 'completed')::int AS completed,
                  count(*) FILTER (WHERE status = 'failed')::int AS failed,
                  count(*) FILTER (WHERE status = 'cancelled')::int AS cancelled,
                  percentile_disc(0.5) WITHIN GROUP (ORDER BY duration_ms) FILTER (WHERE status <> 'cancelled') AS "p50Ms",
                  percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_ms) FILTER (WHERE status <> 'cancelled') AS "p95Ms",
                  round(1000 * percentile_disc(0.95) WITHIN GROUP (ORDER BY greatest(0, extract(epoch FROM started_at - created_at)))
                    FILTER (WHERE batch_id IS NULL AND started_at IS NOT NULL))::int AS "waitedP95Ms"
             FROM capture WHERE completed_at >= $1 AND NOT cached GROUP BY 1`,
    values: [since],
  };
}

export function attemptsQuery(since: Date) {
  return {
    name: 'read-activity-of-deliveries',
    text: `SELECT date_trunc('minute', started_at, 'UTC') AS at,
                  count(*) FILTER (WHERE error IS NULL)::int AS "deliveriesSucceeded",
                  count(*) FILTER (WHERE error IS NOT NULL)::int AS "deliveriesFailed"
             FROM delivery_attempt WHERE started_at >= $1 GROUP BY 1`,
    values: [since],
  };
}

/** An account that keeps the workers busy. */
export interface BusyAccount {
  id: string;
  email: string;
  plan: string;
  /** The account's captures that are queued or being rendered. */
  open: number;
  /** The account's captures that ended in the requested period. */
  ended: number;
  /** The account's completed captures of today (UTC) that count towards the quota. */
  usedToday: number;
}

const dayMs = 86_400_000;

/**
 * Finds the accounts with the most open captures and captures ended since `since`. Reads open and recently ended captures, each
 * from a separate index, and today's count of the found accounts.
 */
export async function busiestAccounts(
  database: Queryable,
  of: { since: Date; at: Date; limit: number },
): Promise<BusyAccount[]> {
  const today = new Date(Math.floor(of.at.getTime() / dayMs) * dayMs);
  const { rows } = await database.query<BusyAccount>({
    name: 'busiest-accounts',
    // Each of the three kinds of open captures has a partial index.
    text: `WITH counted AS (
             SELECT account_id, count(*) AS open, 0 AS ended FROM capture
              WHERE status = 'queued' AND enqueued_at IS NULL GROUP BY 1
              UNION ALL
             SELECT account_id, count(*), 0 FROM capture WHERE status = 'queued' AND enqueued_at IS NOT NULL GROUP BY 1
              UNION ALL
             SELECT account_id, count(*), 0 FROM capture WHERE status = 'processing' GROUP BY 1
              UNION ALL
             SELECT account_id, 0, count(*) FROM capture
              WHERE completed_at >= $1 AND NOT cached AND status <> 'cancelled' GROUP BY 1
           ), busiest AS (
             SELECT account_id, sum(open)::int AS open, sum(ended)::int AS ended FROM counted
              GROUP BY 1 ORDER BY sum(open) + sum(ended) DESC, account_id LIMIT $2
           )
           SELECT a.id, a.email, a.plan, b.open, b.ended,
                  (SELECT count(*) FROM capture c
                    WHERE c.account_id = a.id AND c.status = 'completed' AND c.id >= $3)::int -
                  (SELECT count(*) FROM capture c WHERE c.account_id = a.id AND c.cached AND c.id >= $3)::int AS "usedToday"
             FROM busiest b JOIN account a ON a.id = b.account_id
            WHERE a.deleted_at IS NULL ORDER BY b.open + b.ended DESC, a.id`,
    values: [of.since, of.limit, firstIdAt('req', today)],
  });
  return rows;
}

/** A host whose deliveries fail. */
export interface FailingReceiver {
  /** The host and port. */
  host: string;
  /** The number of accounts that send to the host. */
  accounts: number;
  /** The deliveries whose last attempt failed and that will be retried. */
  pending: number;
  /** The due time of the earliest next attempt, which may be in the past. */
  oldestDueAt: Date;
  /** The most frequent error of the last attempts. */
  lastError: string | null;
}

/** Finds the hosts with the most open deliveries whose last attempt failed. Reads the index of open deliveries. */
export async function failingReceivers(database: Queryable, limit: number): Promise<FailingReceiver[]> {
  const { rows } = await database.query<FailingReceiver>({
    name: 'failing-receivers',
    text: `SELECT host, count(DISTINCT account_id)::int AS accounts, count(*)::int AS pending,
                  min(next_attempt_at) AS "oldestDueAt", mode() WITHIN GROUP (ORDER BY last_error) AS "lastError"
             FROM delivery WHERE status = 'pending' AND last_error IS NOT NULL
            GROUP BY host ORDER BY count(*) DESC, host LIMIT $1`,
    values: [limit],
  });
  return rows;
}
