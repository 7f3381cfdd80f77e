import { apiKeyPrefix, generateApiKey, hashApiKey, lastFour } from '@capture/contract/api/api-key';
import type pg from 'pg';
import { type Database, type Queryable, transaction } from '../database.ts';
import { newId } from '../ids.ts';

/** A key as it is shown once, when it is issued. */
export interface IssuedKey {
  id: string;
  apiKey: string;
  name: string | null;
  prefix: string;
  lastFour: string;
  createdAt: Date;
}

/** Issues a key to an account; only its hash is stored. */
export async function insertKey(
  database: Queryable,
  key: { accountId: string; name: string | null; createdAt: Date },
): Promise<IssuedKey> {
  const apiKey = generateApiKey();
  const issued = {
    id: newId('key', key.createdAt),
    apiKey,
    name: key.name,
    prefix: apiKeyPrefix,
    lastFour: lastFour(apiKey),
    createdAt: key.createdAt,
  };
  await database.query(
    `INSERT INTO api_key (id, account_id, hash, name, prefix, last_four, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [issued.id, key.accountId, hashApiKey(apiKey), issued.name, issued.prefix, issued.lastFour, issued.createdAt],
  );
  return issued;
}

/** An account's valid keys, newest first, as they may be shown. @param page.after the id of the last row before. */
export async function listKeys(
  { prisma }: Pick<Database, 'prisma'>,
  page: { accountId: string; after: string | null; limit: number; at: Date },
) {
  return prisma.apiKey.findMany({
    where: {
      accountId: page.accountId,
      OR: [{ expiresAt: null }, { expiresAt: { gt: page.at } }],
      ...(page.after !== null && { id: { lt: page.after } }),
    },
    orderBy: { id: 'desc' },
    take: page.limit,
    select: { id: true, name: true, prefix: true, lastFour: true, createdAt: true, lastUsedAt: true, expiresAt: true },
  });
}

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
