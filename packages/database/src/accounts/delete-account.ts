import type { Queryable } from '../database.ts';

/**
 * Deletes an account for everybody outside, in one row: from the next statement on its keys and sessions are refused, its
 * links give nothing, none of its captures is taken and none of its deliveries sent, and its address can register again.
 * What it leaves behind may be millions of rows; `removeAccount` does away with them.
 *
 * @returns false if there is no such account.
 */
export async function deleteAccount(database: Queryable, accountId: string): Promise<boolean> {
  // Suspended as well: that is what a gateway of a former version understands.
  const { rowCount } = await database.query(
    `UPDATE account SET deleted_at = now(), status = 'suspended', email = 'deleted ' || id
      WHERE id = $1 AND deleted_at IS NULL`,
    [accountId],
  );
  return rowCount === 1;
}

/** The deleted accounts that are not yet gone, the longest deleted first. */
export async function listDeletedAccounts(database: Queryable): Promise<string[]> {
  const { rows } = await database.query(
    'SELECT id FROM account WHERE deleted_at IS NOT NULL ORDER BY deleted_at LIMIT 1000',
  );
  return rows.map(({ id }) => id);
}
