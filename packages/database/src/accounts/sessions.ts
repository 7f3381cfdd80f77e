import type { Database, Queryable } from '../database.ts';
import { newId } from '../ids.ts';
import { inSlices } from '../in-slices.ts';
import { isForeignKeyViolation } from '../prisma-errors.ts';

/** What a session stands for: an account's key, or the operator's key, known by its fingerprint. */
export type SessionOf = { keyId: string } | { operatorFingerprint: Buffer };

/**
 * Opens a session, always a new one: an id that a client sends is never adopted.
 *
 * @returns its id; null if the key was revoked meanwhile.
 */
export async function openSession(
  { prisma }: Pick<Database, 'prisma'>,
  owner: SessionOf,
  times: { createdAt: Date; expiresAt: Date },
): Promise<string | null> {
  const id = newId('ses', times.createdAt);
  const of =
    'keyId' in owner ? { keyId: owner.keyId } : { operatorFingerprint: new Uint8Array(owner.operatorFingerprint) };
  try {
    await prisma.session.create({ data: { id, ...of, ...times }, select: { id: true } });
    return id;
  } catch (error) {
    if (isForeignKeyViolation(error)) return null;
    throw error;
  }
}

/** Whether an operator session is valid: not expired, and opened with the current operator key. Read at each request. */
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

/** Ends a session for good: every gateway refuses the next request with it. */
export async function closeSession({ prisma }: Pick<Database, 'prisma'>, id: string): Promise<void> {
  await prisma.session.deleteMany({ where: { id } });
}

/** Deletes some of the expired sessions, the oldest first. @returns how many. */
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
