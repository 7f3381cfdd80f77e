import { apiKeyPrefix, generateApiKey, hashApiKey, lastFour } from '@capture/contract/api/api-key';
import type { Database } from '../database.ts';
import { newId } from '../ids.ts';

type Prisma = Pick<Database, 'prisma'>;

/** A new key with its plain text, which the account sees only once. */
export interface IssuedKey {
  id: string;
  apiKey: string;
  name: string | null;
  prefix: string;
  lastFour: string;
  createdAt: Date;
}

/** Generates a key. @returns the key, and its row, which holds only the hash. */
export function newKey({ name, createdAt }: Pick<IssuedKey, 'name' | 'createdAt'>) {
  const apiKey = generateApiKey();
  const shown = { id: newId('key', createdAt), name, prefix: apiKeyPrefix, lastFour: lastFour(apiKey), createdAt };
  return { issued: { ...shown, apiKey }, row: { ...shown, hash: new Uint8Array(hashApiKey(apiKey)) } };
}

/** The most valid keys of an account, far more than the programs and people that share an account. */
export const maxKeys = 100;

/** Issues a key to an account regardless of how many keys the account has. Only the operator may do this. */
export async function insertKey(
  { prisma }: { prisma: Pick<Database['prisma'], 'apiKey'> },
  { accountId, ...key }: { accountId: string; name: string | null; createdAt: Date },
): Promise<IssuedKey> {
  const { issued, row } = newKey(key);
  await prisma.apiKey.create({ data: { ...row, accountId }, select: { id: true } });
  return issued;
}

/** Issues a key to an account and deletes the account's expired keys. @returns null if the account has reached its limit of keys. */
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
 * Serializes changes of an account's keys. This is the weakest lock that two transactions cannot share: captures that refer to
 * the account can still be inserted.
 *
 * @returns the time by the database's clock, which all gateways share and by which keys expire; null if the account does not
 * exist.
 */
async function lockAccount(tx: Pick<Database['prisma'], '$queryRaw'>, accountId: string) {
  const [account] = await tx.$queryRaw<{ now: Date }[]>`
    SELECT now() FROM account WHERE id = ${accountId} FOR NO KEY UPDATE`;
  return account ?? null;
}

/** Reads one page of an account's valid keys, newest first. @param page.after the id of the last row of the previous page. */
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
  /** When the previous key stops working. Without an overlap this is the time of the rotation. */
  previousExpiresAt: Date;
}

/**
 * Replaces a key by a new key of the same name, and deletes the account's expired keys. The previous key stays valid for
 * `overlapS` seconds, but never beyond the end that an earlier rotation set.
 *
 * @returns the reason for a refusal: the account has no such valid key, or the overlap would exceed its limit of keys.
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
    // A rotation without an overlap does not add a key, so the limit never prevents replacing a leaked key.
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
 * Revokes a key. An account always keeps one key that does not expire: the last key can be rotated, but not revoked. Calls for
 * the same account run one after the other, so of two concurrent calls for the last two keys the second is refused.
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
