import type { Queryable } from '../database.ts';
import { firstIdAt } from '../ids.ts';

/** An endpoint's deliveries that were created on one day, by status. */
export interface DayOfDeliveries {
  /** The day as `YYYY-MM-DD`, UTC. */
  date: string;
  delivered: number;
  failed: number;
  /** Deliveries that are still to be sent. */
  pending: number;
}

const dayMs = 86_400_000;

/** Counting the deliveries of a day in one status ends at this number, which is enough to know the share of successes. */
export const countedAtMost = 10_000;

/**
 * Counts the deliveries of an endpoint by day. Returns the oldest day first and includes days without deliveries. An id begins
 * with its creation time, so a day is a range of an index and Postgres reads no rows.
 */
export async function countDeliveries(
  database: Queryable,
  { webhookId, days, at }: { webhookId: string; days: number; at: Date },
): Promise<DayOfDeliveries[]> {
  const today = Math.floor(at.getTime() / dayMs) * dayMs;
  const starts = Array.from({ length: days }, (_, i) => new Date(today - (days - 1 - i) * dayMs));
  const firstId = (day: Date) => firstIdAt('dlv', day);
  const counted = (status: string) => `(SELECT count(*)::int FROM (
      SELECT 1 FROM delivery WHERE webhook_id = $1 AND status = '${status}' AND id >= day.first AND id < day.next
       LIMIT ${countedAtMost}) AS counted)`;
  const { rows } = await database.query({
    name: 'count-deliveries',
    text: `SELECT ${counted('delivered')} AS delivered, ${counted('failed')} AS failed,
                  ${counted('pending')} + ${counted('paused')} AS pending
             FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS day (first, next, place)
            ORDER BY day.place`,
    values: [webhookId, starts.map(firstId), starts.map((day) => firstId(new Date(day.getTime() + dayMs)))],
  });
  return rows.map((counts, i) => ({ date: (starts[i] as Date).toISOString().slice(0, 10), ...counts }));
}
