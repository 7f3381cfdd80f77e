import { hashApiKey } from '@capture/contract/api/api-key';
import type { Queryable } from '../database.ts';

/** An account and its usage in a month: everything that a request needs to know about its caller. */
export interface Owner {
  accountId: string;
  plan: string;
  status: 'active' | 'suspended';
  used: number;
  reserved: number;
}

/** The account that owns a key, and the key's id. */
export interface KeyOwner extends Owner {
  keyId: string;
  /** Whether `last_used_at` is older than a minute and should be written. */
  lastUseIsOld: boolean;
}

/** SQL: the columns of an `Owner`. */
const account = `a.id AS "accountId", a.plan, a.status, coalesce(u.used, 0) AS used, coalesce(u.reserved, 0) AS reserved`;

/** SQL: the columns of a `KeyOwner`. */
const owner = `
  k.id AS "keyId", ${account}, coalesce(k.last_used_at < now() - interval '1 minute', true) AS "lastUseIsOld"`;

const isValid = '(k.expires_at IS NULL OR k.expires_at > now())';

/** The key of a request, and the month (`YYYY-MM`) whose usage is read. */
export interface KeyLookup {
  apiKey: string;
  month: string;
}

/**
 * Looks keys up by their hashes, in one prepared statement for many requests. The result is not cached: every gateway refuses a
 * revoked key from the next request on, at the cost of one indexed read.
 *
 * @returns the owner for each look-up; null for a key that was never issued, was revoked, or whose overlap after a rotation has
 * ended.
 */
export async function findKeys(database: Queryable, lookups: readonly KeyLookup[]): Promise<(KeyOwner | null)[]> {
  const { rows } = await database.query<KeyOwner & { turn: number }>({
    name: 'find-keys',
    text: `SELECT wanted.turn::int AS turn, ${owner}
             FROM unnest($1::bytea[], $2::char(7)[]) WITH ORDINALITY AS wanted (hash, month, turn)
             JOIN api_key k ON k.hash = wanted.hash AND ${isValid}
             JOIN account a ON a.id = k.account_id AND a.deleted_at IS NULL
             LEFT JOIN usage u ON u.account_id = a.id AND u.month = wanted.month`,
    values: [lookups.map(({ apiKey }) => hashApiKey(apiKey)), lookups.map(({ month }) => month)],
  });
  const owners = new Map(rows.map(({ turn, ...found }) => [turn, found]));
  return lookups.map((_, index) => owners.get(index + 1) ?? null);
}

/** Looks up a single key; see `findKeys`. */
export async function findKey(database: Queryable, apiKey: string, month: string): Promise<KeyOwner | null> {
  return (await findKeys(database, [{ apiKey, month }]))[0] ?? null;
}

/**
 * Looks up the key of a session, without a cache.
 *
 * @returns null if the session was closed or has expired, or if the key is not valid.
 */
export async function findKeyOfSession(
  database: Queryable,
  session: { id: string; keyId: string },
  month: string,
): Promise<KeyOwner | null> {
  const { rows } = await database.query<KeyOwner>({
    name: 'find-key-of-session',
    text: `SELECT ${owner}
             FROM api_key k
             JOIN account a ON a.id = k.account_id AND a.deleted_at IS NULL
             LEFT JOIN usage u ON u.account_id = a.id AND u.month = $2
            WHERE k.id = $1 AND ${isValid}
              AND EXISTS (SELECT FROM session s WHERE s.id = $3 AND s.key_id = k.id AND s.expires_at > now())`,
    values: [session.keyId, month, session.id],
  });
  return rows[0] ?? null;
}

/** Looks up the account of a session that a sign-in link opened. @returns null if the session was closed or has expired. */
export async function findAccountOfSession(
  database: Queryable,
  session: { id: string; accountId: string },
  month: string,
): Promise<Owner | null> {
  const { rows } = await database.query<Owner>({
    name: 'find-account-of-session',
    text: `SELECT ${account}
             FROM session s
             JOIN account a ON a.id = s.account_id AND a.deleted_at IS NULL
             LEFT JOIN usage u ON u.account_id = a.id AND u.month = $3
            WHERE s.id = $1 AND s.account_id = $2 AND s.expires_at > now()`,
    values: [session.id, session.accountId, month],
  });
  return rows[0] ?? null;
}

/** Whether the caller's next request would be accepted: the account is active, and its key or session is valid. */
export async function areAccepted(
  database: Queryable,
  callers: readonly { accountId: string; keyId: string | null; sessionId: string | null }[],
): Promise<boolean[]> {
  const { rows } = await database.query<{ accepted: boolean }>({
    name: 'are-accepted',
    text: `SELECT EXISTS (SELECT FROM account a
                           WHERE a.id = caller.account_id AND a.deleted_at IS NULL AND a.status = 'active')
                  AND (caller.key_id IS NULL OR EXISTS (SELECT FROM api_key k WHERE k.id = caller.key_id AND ${isValid}))
                  AND (caller.session_id IS NULL
                       OR EXISTS (SELECT FROM session s WHERE s.id = caller.session_id AND s.expires_at > now()))
                  AS accepted
             FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY
                    AS caller (account_id, key_id, session_id, turn)
            ORDER BY caller.turn`,
    values: [
      callers.map(({ accountId }) => accountId),
      callers.map(({ keyId }) => keyId),
      callers.map(({ sessionId }) => sessionId),
    ],
  });
  return rows.map(({ accepted }) => accepted);
}

/** Records that a key was used, at most once a minute even with concurrent calls. */
export async function touchKey(database: Queryable, keyId: string): Promise<void> {
  await database.query(
    `UPDATE api_key SET last_used_at = now()
      WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
    [keyId],
  );
}
