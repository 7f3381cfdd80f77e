import { apiKeyPrefix, generateApiKey, hashApiKey, lastFour } from '@capture/contract/api/api-key';
import type { Database } from '../database.ts';
import { newId } from '../ids.ts';

type Prisma = Pick<Database, 'prisma'>;

/** A key as it is shown once, when it is issued. */
export interface IssuedKey {
  id: string;
  apiKey: string;
  name: string | null;
  prefix: string;
  lastFour: string;
  createdAt: Date;
}

/** Generates a key. @returns it, and its row, which holds only the hash. */
export function newKey({ name, createdAt }: Pick<IssuedKey, 'name' | 'createdAt'>) {
  const apiKey = generateApiKey();
  const shown = { id: newId('key', createdAt), name, prefix: apiKeyPrefix, lastFour: lastFour(apiKey), createdAt };
  return { issued: { ...shown, apiKey }, row: { ...shown, hash: new Uint8Array(hashApiKey(apiKey)) } };
}

/** Issues a key to an account. */
export async function insertKey(
  { prisma }: { prisma: Pick<Database['prisma'], 'apiKey'> },
  { accountId, ...key }: { accountId: string; name: string | null; createdAt: Date },
): Promise<IssuedKey> {
  const { issued, row } = newKey(key);
  await prisma.apiKey.create({ data: { ...row, accountId }, select: { id: true } });
  return issued;
}

/** An account's valid keys, newest first, as they may be shown. @param page.after the id of the last row of the previous page. */
export async function listKeys(
  { prisma }: Prisma,
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
  /** When the previous key stops working; the time of the rotation if there is no overlap. */
  previousExpiresAt: Date;
}

/**
 * Replaces a key by a new one of the same name, and deletes the account's expired keys. The previous key stays valid for
 * `overlapS` seconds, but never beyond the end that an earlier rotation set.
 *
 * @returns null if the account has no such valid key.
 */
export async function rotateKey(
  { prisma }: Prisma,
  key: { id: string; accountId: string; overlapS: number; at: Date },
): Promise<RotatedKey | null> {
  const { id, accountId } = key;
  return prisma.$transaction(async (tx) => {
    // Keys expire by the database's clock, which all gateways share.
    const [previous] = await tx.$queryRaw<{ name: string | null; expiresAt: Date; now: Date }[]>`
      UPDATE api_key SET expires_at = least(expires_at, now() + make_interval(secs => ${key.overlapS}::float8))
       WHERE id = ${id} AND account_id = ${accountId} AND (expires_at IS NULL OR expires_at > now())
      RETURNING name, expires_at AS "expiresAt", now() AS now`;
    if (!previous) return null;
    await tx.apiKey.deleteMany({ where: { accountId, expiresAt: { lte: previous.now }, id: { not: id } } });
    const issued = await insertKey({ prisma: tx }, { accountId, name: previous.name, createdAt: key.at });
    return { ...issued, previousExpiresAt: previous.expiresAt };
  });
}

/**
 * Revokes a key. An account always keeps one key that does not expire: the last one can be rotated, not revoked. Two calls
 * for an account's last two keys run one after the other, so that the second is refused.
 */
export async function revokeKey(
  { prisma }: Prisma,
  { id, accountId }: { id: string; accountId: string },
): Promise<'revoked' | 'not found' | 'last key'> {
  return prisma.$transaction(async (tx) => {
    // The weakest lock that two revocations cannot share: captures of the account, which refer to it, go on meanwhile.
    const [account] = await tx.$queryRaw<{ now: Date }[]>`
      SELECT now() FROM account WHERE id = ${accountId} FOR NO KEY UPDATE`;
    if (!account) return 'not found';
    const keys = await tx.apiKey.findMany({
      where: { accountId, OR: [{ expiresAt: null }, { id, expiresAt: { gt: account.now } }] },
      select: { id: true },
    });
    if (!keys.some((key) => key.id === id)) return 'not found';
    if (keys.length === 1) return 'last key';
    await tx.apiKey.deleteMany({ where: { id } });
    return 'revoked';
  });
}
