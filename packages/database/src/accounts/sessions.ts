import type { Database, Queryable } from '../database.ts';
import { newId } from '../ids.ts';
import { inSlices } from '../in-slices.ts';
import { isForeignKeyViolation } from '../prisma-errors.ts';

/**
 * Who opens a session: the owner of an account's key, or the operator, whose key is identified by its fingerprint.
 * `useSignInLink` opens the sessions of sign-in links.
 */
export type SessionOf = { keyId: string } | { operatorFingerprint: Buffer };

/** The most sessions of an account, far more than the number of browsers that its owner uses. */
const maxSessions = 50;

/**
 * Opens a session with a new id; an id that a client sends is never adopted. If the account has more than 50 sessions, its oldest
 * sessions end.
 *
 * @returns the session's id; null if the key was revoked meanwhile.
 */
export async function openSession(
  { prisma, pool }: Pick<Database, 'prisma' | 'pool'>,
  owner: SessionOf,
  times: { createdAt: Date; expiresAt: Date },
): Promise<string | null> {
  const id = newId('ses', times.createdAt);
  const of =
    'keyId' in owner ? { keyId: owner.keyId } : { operatorFingerprint: new Uint8Array(owner.operatorFingerprint) };
  try {
    await prisma.session.create({ data: { id, ...of, ...times }, select: { id: true } });
    if ('keyId' in owner) await endOldestSessions(pool, owner.keyId);
    return id;
  } catch (error) {
    if (isForeignKeyViolation(error)) return null;
    throw error;
  }
}

/** Ends the account's oldest sessions. The sessions of all its keys count together, so that another key allows no more sessions. */
async function endOldestSessions(database: Queryable, keyId: string): Promise<void> {
  await database.query(
    `DELETE FROM session WHERE id IN (
       SELECT s.id FROM api_key own JOIN api_key k ON k.account_id = own.account_id JOIN session s ON s.key_id = k.id
        WHERE own.id = $1 ORDER BY s.id DESC OFFSET $2)`,
    [keyId, maxSessions],
  );
}

/** Whether an operator session has not expired and was opened with the current operator key. Checked for each request. */
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

/** Ends a session permanently: every gateway refuses the session's next request. */
export async function closeSession({ prisma }: Pick<Database, 'prisma'>, id: string): Promise<void> {
  await prisma.session.deleteMany({ where: { id } });
}

/** Deletes some of the expired sessions, the oldest first. @returns the number of deleted sessions. */
export async function deleteExpiredSessions(database: Queryable): Promise<number> {
  return inSlices(5_000, async (size) => {
    const { rowCount } = await database.query(
      `DELETE FROM session WHERE id IN (
         SELECT id FROM session WHERE expires_at < now() ORDER BY expires_at LIMIT $1)`,
      [size],
    );
    return rowCount ?? 0;
  });
}
