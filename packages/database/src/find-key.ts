import { hashApiKey } from '@capture/contract/api-key';
import type { Queryable } from './database.ts';

/** Whose key it is, and what that account has used of a month: all that a request needs to know of its caller. */
export interface KeyOwner {
  keyId: string;
  accountId: string;
  plan: string;
  status: 'active' | 'suspended';
  used: number;
  reserved: number;
  /** Whether `last_used_at` is older than a minute and should be written. */
  lastUseIsOld: boolean;
}

/**
 * What is read of a valid key's owner, be it found by its hash or by a session. A deleted account has none, as if it
 * were not there.
 *
 * @param found SQL: which key `k`; `$2` is the month.
 */
const ownerOf = (found: string) => `
  SELECT k.id AS "keyId", a.id AS "accountId", a.plan, a.status,
         coalesce(u.used, 0) AS used, coalesce(u.reserved, 0) AS reserved,
         coalesce(k.last_used_at < now() - interval '1 minute', true) AS "lastUseIsOld"
    FROM api_key k
    JOIN account a ON a.id = k.account_id
    LEFT JOIN usage u ON u.account_id = a.id AND u.month = $2
   WHERE ${found} AND (k.expires_at IS NULL OR k.expires_at > now()) AND a.deleted_at IS NULL`;

/**
 * Looks a key up by its hash. Nothing is cached: a revoked key is refused by the next request on every gateway, for the
 * price of one indexed read.
 *
 * @param month `YYYY-MM`, whose usage is read.
 * @returns null for a key that was never issued, was revoked, or whose overlap after a rotation has ended.
 */
export async function findKey(database: Queryable, apiKey: string, month: string): Promise<KeyOwner | null> {
  const { rows } = await database.query<KeyOwner>({
    name: 'find-key',
    text: ownerOf('k.hash = $1'),
    values: [hashApiKey(apiKey), month],
  });
  return rows[0] ?? null;
}

/**
 * Looks up the key that a session stands in for; nothing is cached here either.
 *
 * @returns null for a session that was signed out or is over, and where `findKey` would give null for its key.
 */
export async function findKeyOfSession(
  database: Queryable,
  session: { id: string; keyId: string },
  month: string,
): Promise<KeyOwner | null> {
  const { rows } = await database.query<KeyOwner>({
    name: 'find-key-of-session',
    text: ownerOf(
      'k.id = $1 AND EXISTS (SELECT FROM session s WHERE s.id = $3 AND s.key_id = k.id AND s.expires_at > now())',
    ),
    values: [session.keyId, month, session.id],
  });
  return rows[0] ?? null;
}

/** Notes that a key was used, at most once a minute, whoever else does so at the same time. */
export async function touchKey(database: Queryable, keyId: string): Promise<void> {
  await database.query(
    `UPDATE api_key SET last_used_at = now()
      WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
    [keyId],
  );
}
