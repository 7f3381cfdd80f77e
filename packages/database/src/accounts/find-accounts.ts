import type { Queryable } from '../database.ts';

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
