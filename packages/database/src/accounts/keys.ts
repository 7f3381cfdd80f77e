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

/** Most valid keys of an account: one each for far more programs and people than share one. */
export const maxKeys = 100;

/** Issues a key to an account, however many it has: for its operator. */
export async function insertKey(
  { prisma }: { prisma: Pick<Database['prisma'], 'apiKey'> },
  { accountId, ...key }: { accountId: string; name: string | null; createdAt: Date },
): Promise<IssuedKey> {
  const { issued, row } = newKey(key);
  await prisma.apiKey.create({ data: { ...row, accountId }, select: { id: true } });
  return issued;
}

/** Issues a key to an account, and deletes its expired ones. @returns null if it has as many as it may have. */
export async function addKey(
  { prisma }: Prisma,
  key: { accountId: string; name: string | null; createdAt: Date },
): Promise<IssuedKey | null> {
  return prisma.$transaction(async (tx) => {
    const now = (await lockAccount(tx, key.accountId))?.now;
    if (!now) return null;
    await tx.apiKey.deleteMany({ where: { accountId: key.accountId, expiresAt: { lte: now } } });
    if ((await tx.apiKey.count({ where: { accountId: key.accountId } })) >= maxKeys) return null;
    return insertKey({ prisma: tx }, key);
  });
}

/**
 * Changes of an account's keys run one after the other. The weakest lock that two of them cannot share: captures of the
 * account, which refer to it, go on meanwhile.
 *
 * @returns the database's clock, by which keys expire and which all gateways share; null without such an account.
 */
async function lockAccount(tx: Pick<Database['prisma'], '$queryRaw'>, accountId: string) {
  const [account] = await tx.$queryRaw<{ now: Date }[]>`
    SELECT now() FROM account WHERE id = ${accountId} FOR NO KEY UPDATE`;
  return account ?? null;
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
 * @returns why not, if the account has no such valid key, or an overlap would give it more keys than it may have.
 */
export async function rotateKey(
  { prisma }: Prisma,
  key: { id: string; accountId: string; overlapS: number; at: Date },
): Promise<RotatedKey | 'not found' | 'too many keys'> {
  const { id, accountId } = key;
  return prisma.$transaction(async (tx) => {
    const now = (await lockAccount(tx, accountId))?.now;
    if (!now) return 'not found';
    await tx.apiKey.deleteMany({ where: { accountId, expiresAt: { lte: now }, id: { not: id } } });
    const others = await tx.apiKey.count({ where: { accountId, id: { not: id } } });
    // Without an overlap the number stays: a key that has leaked can be replaced at once.
    if (key.overlapS > 0 && others + 1 >= maxKeys) return 'too many keys';
    const [previous] = await tx.$queryRaw<{ name: string | null; expiresAt: Date }[]>`
      UPDATE api_key SET expires_at = least(expires_at, now() + make_interval(secs => ${key.overlapS}::float8))
       WHERE id = ${id} AND account_id = ${accountId} AND (expires_at IS NULL OR expires_at > now())
      RETURNING name, expires_at AS "expiresAt"`;
    if (!previous) return 'not found';
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
    const account = await lockAccount(tx, accountId);
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
