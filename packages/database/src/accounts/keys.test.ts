import { generateApiKey, hashApiKey, isWellFormedApiKey } from '@capture/contract/api/api-key';
import { describe, expect, it } from '@jest/globals';
import { month, newAccount, reserve, useTestDatabase, whileLocked } from '../captures/captures.test-support.ts';
import { newId } from '../ids.ts';
import { findKey, findKeys, touchKey } from './find-key.ts';
import { addKey, insertKey, listKeys, maxKeys, revokeKey, rotateKey } from './keys.ts';

const database = await useTestDatabase();
const { pool } = database;

const add = (accountId: string, name: string | null = null) =>
  insertKey(database, { accountId, name, createdAt: new Date() });
const isValid = async (apiKey: string) => (await findKey(pool, apiKey, month)) !== null;
const tryToRotate = (accountId: string, id: string, overlapS = 0) =>
  rotateKey(database, { id, accountId, overlapS, at: new Date() });
async function rotate(...key: Parameters<typeof tryToRotate>) {
  const rotated = await tryToRotate(...key);
  if (typeof rotated === 'string') throw new Error(rotated);
  return rotated;
}
const rows = async (accountId: string) =>
  (await pool.query('SELECT * FROM api_key WHERE account_id = $1 ORDER BY id', [accountId])).rows;

const expire = (id: string) =>
  pool.query(`UPDATE api_key SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);

describe('a key', () => {
  it('is looked up with its account and the usage of the month', async () => {
    const { id, key } = await newAccount(database);
    expect(isWellFormedApiKey(key.apiKey)).toBe(true);
    expect(await findKey(pool, key.apiKey, month)).toEqual({
      keyId: key.id,
      accountId: id,
      plan: 'free',
      status: 'active',
      used: 0,
      reserved: 0,
      lastUseIsOld: true,
    });
    await reserve(pool, id);
    expect(await findKey(pool, key.apiKey, month)).toMatchObject({ used: 0, reserved: 1 });
    expect(await findKey(pool, key.apiKey, '2026-12')).toMatchObject({ used: 0, reserved: 0 });
  });

  it('is looked up together with others, valid, invalid or repeated', async () => {
    const [one, other] = [await newAccount(database), await newAccount(database)];
    await reserve(pool, other.id);
    const lookups = [one.key.apiKey, generateApiKey(), other.key.apiKey, one.key.apiKey].map((apiKey) => ({
      apiKey,
      month,
    }));
    const owners = await findKeys(pool, [...lookups, { apiKey: other.key.apiKey, month: '2026-12' }]);
    expect(owners.map((owner) => owner && [owner.accountId, owner.reserved])).toEqual([
      [one.id, 0],
      null,
      [other.id, 1],
      [one.id, 0],
      [other.id, 0],
    ]);
  });

  it('is stored only as its hash', async () => {
    const { id, key } = await newAccount(database);
    const [row] = await rows(id);
    expect(row.hash).toEqual(hashApiKey(key.apiKey));
    expect(row).toMatchObject({ prefix: 'cap_live_', last_four: key.apiKey.slice(-4), name: null, expires_at: null });
    expect(JSON.stringify(row)).not.toContain(key.apiKey.slice(9, -4));
  });

  it('that was never issued is not found', async () => {
    expect(await isValid(generateApiKey())).toBe(false);
  });

  it('records its use at most once a minute', async () => {
    const { key } = await newAccount(database);
    const used = async () => (await pool.query('SELECT last_used_at FROM api_key WHERE id = $1', [key.id])).rows[0];
    await touchKey(pool, key.id);
    const first = await used();
    expect(first.last_used_at).toBeInstanceOf(Date);
    expect(await findKey(pool, key.apiKey, month)).toMatchObject({ lastUseIsOld: false });
    await touchKey(pool, key.id);
    expect(await used()).toEqual(first);
    await pool.query(`UPDATE api_key SET last_used_at = now() - interval '61 s' WHERE id = $1`, [key.id]);
    expect(await findKey(pool, key.apiKey, month)).toMatchObject({ lastUseIsOld: true });
    await touchKey(pool, key.id);
    expect((await used()).last_used_at.getTime()).toBeGreaterThanOrEqual(first.last_used_at.getTime());
  });
});

describe('revocation', () => {
  it('ends a key at once', async () => {
    const { id, key } = await newAccount(database);
    const second = await add(id);
    expect(await revokeKey(database, { id: second.id, accountId: id })).toBe('revoked');
    expect(await isValid(second.apiKey)).toBe(false);
    expect(await isValid(key.apiKey)).toBe(true);
    expect(await revokeKey(database, { id: second.id, accountId: id })).toBe('not found');
  });

  it('is refused for the last key', async () => {
    const { id, key } = await newAccount(database);
    expect(await revokeKey(database, { id: key.id, accountId: id })).toBe('last key');
    expect(await isValid(key.apiKey)).toBe(true);
  });

  it('of the last two keys at the same time is refused for one', async () => {
    for (let round = 0; round < 20; round++) {
      const { id, key } = await newAccount(database);
      const second = await add(id);
      const outcomes = await Promise.all([key, second].map((each) => revokeKey(database, { ...each, accountId: id })));
      expect(outcomes.sort()).toEqual(['last key', 'revoked']);
      expect(await rows(id)).toHaveLength(1);
    }
  });

  it('does not find another account’s key', async () => {
    const [one, other] = [await newAccount(database), await newAccount(database)];
    await add(one.id);
    await add(other.id);
    expect(await revokeKey(database, { id: one.key.id, accountId: other.id })).toBe('not found');
    expect(await isValid(one.key.apiKey)).toBe(true);
  });

  it('accepts a key in its overlap, which does not count as a remaining key', async () => {
    const { id, key } = await newAccount(database);
    const rotated = await rotate(id, key.id, 3_600);
    expect(await revokeKey(database, { id: rotated.id ?? '', accountId: id })).toBe('last key');
    expect(await revokeKey(database, { id: key.id, accountId: id })).toBe('revoked');
    expect(await isValid(key.apiKey)).toBe(false);
    expect(await isValid(rotated.apiKey ?? '')).toBe(true);
  });

  it('does not block the account’s captures', async () => {
    const { id } = await newAccount(database);
    await whileLocked(database, ['SELECT 1 FROM account WHERE id = $1 FOR NO KEY UPDATE', id], () => reserve(pool, id));
  });
});

describe('rotation', () => {
  it('issues a new key of the same name and ends the previous one at once', async () => {
    const { id } = await newAccount(database);
    const previous = await add(id, 'CI');
    const rotated = await rotate(id, previous.id);
    expect(rotated).toMatchObject({ name: 'CI', previousExpiresAt: expect.any(Date) });
    expect(rotated.id).not.toBe(previous.id);
    expect(await isValid(previous.apiKey)).toBe(false);
    expect(await isValid(rotated.apiKey ?? '')).toBe(true);
  });

  it('with an overlap keeps both keys valid until it ends', async () => {
    const { id, key } = await newAccount(database);
    const before = Date.now();
    const rotated = await rotate(id, key.id, 604_800);
    const overlap = (rotated.previousExpiresAt.getTime() ?? 0) - before;
    expect(Math.abs(overlap - 604_800_000)).toBeLessThan(60_000);
    expect(await isValid(key.apiKey)).toBe(true);
    expect(await isValid(rotated.apiKey ?? '')).toBe(true);
    await expire(key.id);
    expect(await isValid(key.apiKey)).toBe(false);
    expect(await isValid(rotated.apiKey ?? '')).toBe(true);
  });

  it('never extends the overlap of an earlier rotation', async () => {
    const { id, key } = await newAccount(database);
    const first = await rotate(id, key.id, 60);
    const second = await rotate(id, key.id, 3_600);
    expect(second.previousExpiresAt).toEqual(first.previousExpiresAt);
    const third = await rotate(id, key.id, 0);
    expect(third.previousExpiresAt.getTime()).toBeLessThan(first.previousExpiresAt.getTime() ?? 0);
  });

  it('refuses a key that has expired, is revoked or belongs to another account', async () => {
    const [one, other] = [await newAccount(database), await newAccount(database)];
    const [expired, revoked] = [await add(one.id), await add(one.id)];
    await expire(expired.id);
    await revokeKey(database, { id: revoked.id, accountId: one.id });
    for (const id of [expired.id, revoked.id, other.key.id, newId('key')])
      expect(await tryToRotate(one.id, id)).toBe('not found');
    expect(await isValid(other.key.apiKey)).toBe(true);
  });

  it('deletes expired keys of this account only', async () => {
    const [one, other] = [await newAccount(database), await newAccount(database)];
    const [old, others] = [await add(one.id), await add(other.id)];
    await expire(old.id);
    await expire(others.id);
    const rotated = await rotate(one.id, one.key.id);
    expect((await rows(one.id)).map((row) => row.id)).toEqual([one.key.id, rotated.id]);
    expect(await rows(other.id)).toHaveLength(2);
  });

  it('racing with the revocation of the last key leaves one key that does not expire', async () => {
    for (let round = 0; round < 20; round++) {
      const { id, key } = await newAccount(database);
      await Promise.all([tryToRotate(id, key.id), revokeKey(database, { id: key.id, accountId: id })]);
      expect((await rows(id)).filter((row) => row.expires_at === null)).toHaveLength(1);
    }
  });
});

it('lists an account’s valid keys, newest first, page by page, without hashes', async () => {
  const { id, key } = await newAccount(database);
  const more = [];
  for (const [index, name] of ['CI', 'laptop', 'old'].entries()) {
    // The order of two ids of the same millisecond is random.
    const createdAt = new Date(key.createdAt.getTime() + 1 + index);
    more.push(await insertKey(database, { accountId: id, name, createdAt }));
  }
  await newAccount(database);
  await expire(more[2]?.id ?? '');
  await touchKey(pool, key.id);
  const list = (after: string | null, limit: number) =>
    listKeys(database, { accountId: id, after, limit, at: new Date() });
  const all = await list(null, 10);
  expect(all.map(({ name }) => name)).toEqual(['laptop', 'CI', null]);
  expect(all[0]).toEqual({
    id: more[1]?.id,
    name: 'laptop',
    prefix: 'cap_live_',
    lastFour: more[1]?.apiKey.slice(-4),
    createdAt: more[1]?.createdAt,
    lastUsedAt: null,
    expiresAt: null,
  });
  expect(all[2]?.lastUsedAt).toBeInstanceOf(Date);
  const [first] = await list(null, 1);
  expect(await list(first?.id ?? '', 1)).toEqual([all[1]]);
});

describe('an account with as many keys as it may have', () => {
  async function fullAccount() {
    const { id, key } = await newAccount(database);
    for (let keys = 1; keys < maxKeys; keys += 1) await add(id);
    return { id, key };
  }
  const addOwn = (accountId: string) => addKey(database, { accountId, name: null, createdAt: new Date() });

  it('gets no further key, not even by a rotation with an overlap', async () => {
    const { id, key } = await fullAccount();
    expect(await addOwn(id)).toBeNull();
    expect(await tryToRotate(id, key.id, 60)).toBe('too many keys');
    expect(await isValid(key.apiKey)).toBe(true);
    expect(await rows(id)).toHaveLength(maxKeys);
  });

  it('can rotate a key at once, and add one after another has expired or was revoked', async () => {
    const { id, key } = await fullAccount();
    expect(await rotate(id, key.id)).toMatchObject({ id: expect.stringMatching(/^key_/) });
    expect(await addOwn(id)).toBeNull();
    const [, second, third] = await rows(id);
    await expire(second.id);
    expect(await addOwn(id)).toMatchObject({ id: expect.any(String) });
    expect(await addOwn(id)).toBeNull();
    await revokeKey(database, { id: third.id, accountId: id });
    expect(await addOwn(id)).toMatchObject({ id: expect.any(String) });
  });

  it('gets no further key from additions at the same time', async () => {
    const { id } = await newAccount(database);
    for (let keys = 1; keys < maxKeys - 2; keys += 1) await add(id);
    const added = await Promise.all(Array.from({ length: 6 }, () => addOwn(id)));
    expect(added.filter((key) => key !== null)).toHaveLength(2);
  });
});
