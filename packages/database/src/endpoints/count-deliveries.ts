import type { Queryable } from '../database.ts';
import { firstIdAt } from '../ids.ts';

/** The deliveries of an endpoint that were created on one day, by status. */
export interface DayOfDeliveries {
  /** `YYYY-MM-DD`, UTC. */
  date: string;
  delivered: number;
  failed: number;
  /** Still to be sent. */
  pending: number;
}

const dayMs = 86_400_000;

/** Where counting one status of a day ends: the share of successes is known by then. */
export const countedAtMost = 10_000;

/**
 * Counts the deliveries of an endpoint by day, the oldest day first, empty days included. An id begins with its time, so a
 * day is a range of an index and no row is read.
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
