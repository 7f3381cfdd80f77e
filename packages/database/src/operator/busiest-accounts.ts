import type { Queryable } from '../database.ts';
import { firstIdAt } from '../ids.ts';

/** An account that keeps the workers busy. */
export interface BusyAccount {
  id: string;
  email: string;
  plan: string;
  /** Its captures that wait or are being rendered. */
  open: number;
  /** Its captures that ended in the time that was asked for. */
  ended: number;
  /** Its captures of today (UTC) that completed and count. */
  usedToday: number;
}

const dayMs = 86_400_000;

/**
 * The accounts that have most in the works or had most done since then. Reads what is open and what ended lately, each from
 * an index of that, and of the few that it finds the day's count.
 */
export async function busiestAccounts(
  database: Queryable,
  of: { since: Date; at: Date; limit: number },
): Promise<BusyAccount[]> {
  const today = new Date(Math.floor(of.at.getTime() / dayMs) * dayMs);
  const { rows } = await database.query<BusyAccount>({
    name: 'busiest-accounts',
    // The three kinds of open captures have a partial index each.
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
