import type { Queryable } from '../database.ts';
import { newId } from '../ids.ts';

/** What a session stands in for: an account's key, or the operator's, known by what was made from it. */
export type SessionOf = { keyId: string } | { operatorFingerprint: Buffer };

/**
 * Opens a session, always a new one: an id that a client brings is never taken up.
 *
 * @returns its id; null if the key was revoked meanwhile.
 */
export async function openSession(
  database: Queryable,
  of: SessionOf,
  { createdAt, expiresAt }: { createdAt: Date; expiresAt: Date },
): Promise<string | null> {
  const id = newId('ses', createdAt);
  const { rowCount } = await ('keyId' in of
    ? database.query(
        `INSERT INTO session (id, key_id, created_at, expires_at)
         SELECT $1, id, $3, $4 FROM api_key WHERE id = $2 FOR KEY SHARE`,
        [id, of.keyId, createdAt, expiresAt],
      )
    : database.query('INSERT INTO session (id, operator_fingerprint, created_at, expires_at) VALUES ($1, $2, $3, $4)', [
        id,
        of.operatorFingerprint,
        createdAt,
        expiresAt,
      ]));
  return rowCount === 1 ? id : null;
}

/** Whether a session of the operator holds, opened with the operator key of today. */
export async function holdsOperatorSession(
  database: Queryable,
  session: { id: string; operatorFingerprint: Buffer },
): Promise<boolean> {
  const { rowCount } = await database.query({
    name: 'holds-operator-session',
    text: 'SELECT FROM session WHERE id = $1 AND operator_fingerprint = $2 AND expires_at > now()',
    values: [session.id, session.operatorFingerprint],
  });
  return rowCount === 1;
}

/** Ends a session for good: the next request with it is refused on every gateway. */
export async function closeSession(database: Queryable, id: string): Promise<void> {
  await database.query('DELETE FROM session WHERE id = $1', [id]);
}

/** Removes sessions whose time is over, some at a time. @returns how many. */
export async function deleteExpiredSessions(database: Queryable): Promise<number> {
  const { rowCount } = await database.query(
    `DELETE FROM session WHERE id IN (
       SELECT id FROM session WHERE expires_at < now() ORDER BY expires_at LIMIT 5000)`,
  );
  return rowCount ?? 0;
}
