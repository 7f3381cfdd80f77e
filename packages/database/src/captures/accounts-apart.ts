import type { Queryable } from '../database.ts';

/** How long an account is apart after the last fault of its pages, seconds. */
export const apartForS = 3_600;

/**
 * Notes that pages of the account spoil the browsers that they are in, so that scheduling gives the account fewer slots. Many
 * faults in a minute are one write. No transaction: no scheduling round waits for a process that freezes.
 */
export async function noteApart(database: Queryable, accountId: string): Promise<void> {
  await database.query({
    name: 'note-apart',
    text: `UPDATE account_turn SET flooded_at = now()
            WHERE account_id = $1 AND (flooded_at IS NULL OR flooded_at < now() - interval '1 minute')`,
    values: [accountId],
  });
}

/** Reads which of these accounts are apart. */
export async function readApart(database: Queryable, accountIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await database.query<{ id: string }>({
    name: 'read-apart',
    text: `SELECT account_id AS id FROM account_turn
            WHERE account_id = ANY($1) AND flooded_at > now() - make_interval(secs => $2)`,
    values: [[...new Set(accountIds)], apartForS],
  });
  return new Set(rows.map(({ id }) => id));
}
