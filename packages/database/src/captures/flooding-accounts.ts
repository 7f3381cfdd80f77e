import type { Queryable } from '../database.ts';

/** How long an account counts as one whose pages flood, after the last flood, seconds. */
export const floodsForS = 3_600;

/**
 * Notes that a page of the account floods a browser, so that scheduling gives the account fewer slots. Many floods in a minute are
 * one write. No transaction: no scheduling round waits for a process that freezes.
 */
export async function noteFlood(database: Queryable, accountId: string): Promise<void> {
  await database.query({
    name: 'note-flood',
    text: `UPDATE account_turn SET flooded_at = now()
            WHERE account_id = $1 AND (flooded_at IS NULL OR flooded_at < now() - interval '1 minute')`,
    values: [accountId],
  });
}

/** Reads which of these accounts have pages that flood. */
export async function readFlooding(database: Queryable, accountIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await database.query<{ id: string }>({
    name: 'read-flooding',
    text: `SELECT account_id AS id FROM account_turn
            WHERE account_id = ANY($1) AND flooded_at > now() - make_interval(secs => $2)`,
    values: [[...new Set(accountIds)], floodsForS],
  });
  return new Set(rows.map(({ id }) => id));
}
