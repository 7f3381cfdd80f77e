import { newAccountPlan } from '@capture/contract/forms/forms';
import type pg from 'pg';
import { type Queryable, transaction } from '../database.ts';
import { type IssuedKey, insertKey } from './keys.ts';

export interface NewAccount {
  id: string;
  /** Trimmed and in lower case already. */
  email: string;
  /** EncryptedValue for this account. */
  signingSecret: string;
  createdAt: Date;
}

/**
 * Creates an account on the free plan with its first key, both or none.
 *
 * @returns null if the address is registered already; then nothing was changed.
 */
export async function createAccount(pool: pg.Pool, account: NewAccount): Promise<IssuedKey | null> {
  return transaction(pool, async (connection) => {
    const inserted = await connection.query(
      `INSERT INTO account (id, email, plan, created_at, signing_secret, signing_secret_created_at)
       VALUES ($1, $2, $3, $4, $5, $4)
       ON CONFLICT (email) DO NOTHING`,
      [account.id, account.email, newAccountPlan, account.createdAt, account.signingSecret],
    );
    if (inserted.rowCount === 0) return null;
    return insertKey(connection, { accountId: account.id, name: null, createdAt: account.createdAt });
  });
}

/** An account as its owner and the operator see it; a deleted one is seen by nobody. */
export interface AccountRow {
  id: string;
  email: string;
  plan: string;
  status: 'active' | 'suspended';
  createdAt: Date;
  /** Units of the given month. */
  used: number;
  reserved: number;
}

const columns = `a.id, a.email, a.plan, a.status, a.created_at AS "createdAt",
                 coalesce(u.used, 0) AS used, coalesce(u.reserved, 0) AS reserved`;

export async function findAccount(database: Queryable, accountId: string, month: string): Promise<AccountRow | null> {
  const { rows } = await database.query<AccountRow>(
    `SELECT ${columns} FROM account a LEFT JOIN usage u ON u.account_id = a.id AND u.month = $2
      WHERE a.id = $1 AND a.deleted_at IS NULL`,
    [accountId, month],
  );
  return rows[0] ?? null;
}

/** One page of accounts, newest first. @param page.after the id of the last row of the page before. */
export async function listAccounts(
  database: Queryable,
  page: { email: string | null; after: string | null; limit: number; month: string },
): Promise<AccountRow[]> {
  const { rows } = await database.query<AccountRow>(
    `SELECT ${columns} FROM account a LEFT JOIN usage u ON u.account_id = a.id AND u.month = $4
      WHERE a.deleted_at IS NULL AND ($1::text IS NULL OR a.email = $1) AND ($2::text IS NULL OR a.id < $2)
      ORDER BY a.id DESC LIMIT $3`,
    [page.email, page.after, page.limit, page.month],
  );
  return rows;
}

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
