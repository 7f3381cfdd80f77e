import type { Queryable } from '../database.ts';
import { firstIdAt } from '../ids.ts';

/** An account's captures that were requested on one day, by outcome. */
export interface DayUsage {
  /** The day as `YYYY-MM-DD`, UTC. */
  date: string;
  /** Completed captures that count towards the quota; cached captures do not. */
  completed: number;
  failed: number;
  /** Captures that reused the file of an earlier equal capture. */
  cached: number;
}

const dayMs = 86_400_000;

/**
 * Counts an account's captures by the day of their request, because a unit of quota belongs to the month in which it was
 * reserved. Returns the oldest day first and includes days without captures.
 *
 * An id begins with its creation time, so each day is a range in two indexes and Postgres reads no rows: 100,000 captures take 40
 * ms, a tenth of the time that reading the rows takes. A counter per day would be faster, but would add a contended row to the
 * transaction that ends a capture.
 */
export async function countUsage(
  database: Queryable,
  { accountId, days, at }: { accountId: string; days: number; at: Date },
): Promise<DayUsage[]> {
  const today = Math.floor(at.getTime() / dayMs) * dayMs;
  const starts = Array.from({ length: days }, (_, i) => new Date(today - (days - 1 - i) * dayMs));
  const firstId = (day: Date) => firstIdAt('req', day);
  const { rows } = await database.query({
    name: 'count-usage',
    text: `SELECT
      (SELECT count(*)::int FROM capture
        WHERE account_id = $1 AND status = 'completed' AND id >= day.first AND id < day.next) AS completed,
      (SELECT count(*)::int FROM capture
        WHERE account_id = $1 AND status = 'failed' AND id >= day.first AND id < day.next) AS failed,
      (SELECT count(*)::int FROM capture
        WHERE account_id = $1 AND cached AND id >= day.first AND id < day.next) AS cached
       FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS day (first, next, place)
      ORDER BY day.place`,
    values: [accountId, starts.map(firstId), starts.map((day) => firstId(new Date(day.getTime() + dayMs)))],
  });
  return rows.map(({ completed, failed, cached }, i) => ({
    date: (starts[i] as Date).toISOString().slice(0, 10),
    completed: completed - cached,
    failed,
    cached,
  }));
}
