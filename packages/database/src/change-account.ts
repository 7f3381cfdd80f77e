import type { Queryable } from './database.ts';

/** Changes an account's plan or status; both hold from the next request on. @returns false if there is no such account. */
export async function changeAccount(
  database: Queryable,
  accountId: string,
  change: { plan?: string | undefined; status?: 'active' | 'suspended' | undefined },
): Promise<boolean> {
  const { rowCount } = await database.query(
    'UPDATE account SET plan = coalesce($2, plan), status = coalesce($3, status) WHERE id = $1',
    [accountId, change.plan ?? null, change.status ?? null],
  );
  return rowCount === 1;
}
