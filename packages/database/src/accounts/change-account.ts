import type pg from 'pg';
import { transaction } from '../database.ts';

/**
 * Changes an account's plan or status; both hold from the next request on. A suspended account that is set active again
 * has lost the sessions from before: who had one signs in anew.
 *
 * @returns false if there is no such account.
 */
export async function changeAccount(
  pool: pg.Pool,
  accountId: string,
  change: { plan?: string | undefined; status?: 'active' | 'suspended' | undefined },
): Promise<boolean> {
  return transaction(pool, async (connection) => {
    const { rows } = await connection.query(
      'SELECT status FROM account WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE',
      [accountId],
    );
    const [former] = rows;
    if (!former) return false;
    await connection.query(
      'UPDATE account SET plan = coalesce($2, plan), status = coalesce($3, status) WHERE id = $1',
      [accountId, change.plan ?? null, change.status ?? null],
    );
    if (former.status === 'suspended' && change.status === 'active') {
      await connection.query('DELETE FROM session WHERE key_id IN (SELECT id FROM api_key WHERE account_id = $1)', [
        accountId,
      ]);
    }
    return true;
  });
}
