import type { Queryable } from '../database.ts';

/** How long an account counts as one whose pages flood, after the last flood, seconds. */
export const floodsForS = 3_600;

/**
 * Notes that a page of the account floods a browser: scheduling gives the account fewer pages then. A row that is less than a
 * minute old stays, so that many floods are not as many writes. No transaction: no scheduling turn waits for a process that freezes.
 */
export async function noteFlood(database: Queryable, accountId: string): Promise<void> {
  await database.query({
    name: 'note-flood',
    text: `UPDATE account_turn SET flooded_at = now()
            WHERE account_id = $1 AND (flooded_at IS NULL OR flooded_at < now() - interval '1 minute')`,
    values: [accountId],
  });
}
