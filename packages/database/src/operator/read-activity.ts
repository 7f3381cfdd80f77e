import type { Queryable } from '../database.ts';

/** What was done in one minute. */
export interface MinuteActivity {
  /** When it began. */
  at: Date;
  /** Captures by what became of them in this minute; those that were given again are not among them. */
  completed: number;
  failed: number;
  cancelled: number;
  /** What captures took on a page, milliseconds; null if none ended. */
  p50Ms: number | null;
  p95Ms: number | null;
  /** For how long single captures had waited for a worker, milliseconds; items of a batch wait for their turn by design. */
  waitedP95Ms: number | null;
  /** Attempts at deliveries that began in this minute. */
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
 * What was done in each of the last minutes, the oldest first; the last is the one under way. Both tables are read from an
 * index on the time, so that it costs what was done in these minutes and not what was ever done: a second for the 200,000
 * captures of an hour at 60 a second, of which a day would be cut off by the time that a statement may take.
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

/** Captures that ended from then on, by the minute. */
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

/** Attempts that began from then on, by the minute. */
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
