import { newAccountPlan } from '@capture/contract/forms/forms';
import type pg from 'pg';
import { transaction } from '../database.ts';
import { type IssuedKey, insertKey } from './insert-key.ts';

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
