import type pg from 'pg';
import { transaction } from '../database.ts';
import { type IssuedKey, insertKey } from './insert-key.ts';

export interface RotatedKey extends IssuedKey {
  /** When the former key stops; the moment of the rotation if there is no overlap. */
  previousExpiresAt: Date;
}

/**
 * Replaces a key by a new one of the same name, and forgets the account's keys that have expired. The former stays valid
 * for `overlapS` seconds, never longer than an earlier rotation left it.
 *
 * @returns null if the account has no such valid key.
 */
export async function rotateKey(
  pool: pg.Pool,
  key: { id: string; accountId: string; overlapS: number; at: Date },
): Promise<RotatedKey | null> {
  return transaction(pool, async (connection) => {
    const former = await connection.query(
      `UPDATE api_key SET expires_at = least(expires_at, now() + make_interval(secs => $3))
        WHERE id = $1 AND account_id = $2 AND (expires_at IS NULL OR expires_at > now())
        RETURNING name, expires_at`,
      [key.id, key.accountId, key.overlapS],
    );
    const [row] = former.rows;
    if (!row) return null;
    await connection.query('DELETE FROM api_key WHERE account_id = $1 AND expires_at <= now() AND id <> $2', [
      key.accountId,
      key.id,
    ]);
    const issued = await insertKey(connection, { accountId: key.accountId, name: row.name, createdAt: key.at });
    return { ...issued, previousExpiresAt: row.expires_at };
  });
}
