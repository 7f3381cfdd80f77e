import type { Queryable } from '../database.ts';

/** A host that does not take what is sent to it. */
export interface FailingReceiver {
  /** Host and port. */
  host: string;
  /** How many accounts send to it. */
  accounts: number;
  /** Deliveries whose last attempt failed and that are tried again. */
  pending: number;
  /** When the next attempt at the one that is due first is, or was, due. */
  oldestDueAt: Date;
  /** What most of the last attempts failed with. */
  lastError: string | null;
}

/** The hosts at which most deliveries wait after an attempt that failed. Reads what is open, from an index of that alone. */
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
