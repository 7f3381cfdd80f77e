import type pg from 'pg';
import { transaction } from '../database.ts';

/**
 * Revokes a key. An account always keeps one that does not expire: the last is rotated, not revoked. Two calls for an
 * account's last two keys wait for each other, so that one of them is refused.
 */
export async function revokeKey(
  pool: pg.Pool,
  key: { id: string; accountId: string },
): Promise<'revoked' | 'not found' | 'last key'> {
  return transaction(pool, async (connection) => {
    // The weakest lock that two revocations cannot share: captures of the account, which refer to it, go on meanwhile.
    await connection.query('SELECT 1 FROM account WHERE id = $1 FOR NO KEY UPDATE', [key.accountId]);
    const { rows } = await connection.query(
      `SELECT id FROM api_key WHERE account_id = $1 AND (expires_at IS NULL OR (id = $2 AND expires_at > now()))`,
      [key.accountId, key.id],
    );
    if (!rows.some((row) => row.id === key.id)) return 'not found';
    if (rows.length === 1) return 'last key';
    await connection.query('DELETE FROM api_key WHERE id = $1', [key.id]);
    return 'revoked';
  });
}
