import { expect, it } from '@jest/globals';
import { month, newAccount, useTestDatabase } from '../captures/captures.test-support.ts';
import { changeAccount } from './accounts.ts';
import { findKeyOfSession } from './find-key.ts';
import { insertKey } from './keys.ts';
import { closeSession, deleteExpiredSessions, holdsOperatorSession, openSession } from './sessions.ts';

const database = await useTestDatabase();
const { pool } = database;
const createdAt = new Date();
const after = (seconds: number) => ({ createdAt, expiresAt: new Date(Date.now() + seconds * 1_000) });

async function open(keyId: string, seconds = 60): Promise<string> {
  const id = await openSession(database, { keyId }, after(seconds));
  if (id === null) throw new Error('there is no such key');
  return id;
}

const holds = async (id: string, keyId: string) => (await findKeyOfSession(pool, { id, keyId }, month)) !== null;

it('belongs only to its key, until it is closed or expires', async () => {
  const [mine, other] = [await newAccount(database), await newAccount(database)];
  const id = await open(mine.key.id);
  expect(await findKeyOfSession(pool, { id, keyId: mine.key.id }, month)).toMatchObject({
    keyId: mine.key.id,
    accountId: mine.id,
    plan: 'free',
    status: 'active',
  });
  expect(await holds(id, other.key.id)).toBe(false);
  expect(await holds(await open(mine.key.id, -1), mine.key.id)).toBe(false);
  await closeSession(database, id);
  expect(await holds(id, mine.key.id)).toBe(false);
});

it('ends with its key, and cannot be opened for a revoked one', async () => {
  const { key } = await newAccount(database);
  const id = await open(key.id);
  await pool.query(`UPDATE api_key SET expires_at = now() - interval '1 second' WHERE id = $1`, [key.id]);
  expect(await holds(id, key.id)).toBe(false);
  await pool.query('DELETE FROM api_key WHERE id = $1', [key.id]);
  expect(await database.prisma.session.count({ where: { id } })).toBe(0);
  expect(await openSession(database, { keyId: key.id }, after(60))).toBeNull();
});

it('ends when its account has fifty newer sessions, whatever their keys', async () => {
  const [mine, other] = [await newAccount(database), await newAccount(database)];
  const { id: second } = await insertKey(database, { accountId: mine.id, name: null, createdAt });
  const theirs = await open(other.key.id);
  const ids: [id: string, keyId: string][] = [];
  for (let i = 0; i < 53; i++) {
    const keyId = i % 2 === 0 ? mine.key.id : second;
    // The order of two ids of the same millisecond is random.
    const id = await openSession(
      database,
      { keyId },
      { createdAt: new Date(Date.now() - 60_000 + i), expiresAt: new Date(Date.now() + 60_000) },
    );
    ids.push([id ?? '', keyId]);
  }
  const held = await Promise.all(ids.map(([id, keyId]) => holds(id, keyId)));
  expect(held).toEqual(ids.map((_, index) => index >= 3));
  expect(await holds(theirs, other.key.id)).toBe(true);
});

it('of a suspended account does not come back when the account is reactivated', async () => {
  const [mine, other] = [await newAccount(database), await newAccount(database)];
  const [id, theirs] = [await open(mine.key.id), await open(other.key.id)];
  await changeAccount(database, mine.id, { status: 'suspended' });
  expect(await findKeyOfSession(pool, { id, keyId: mine.key.id }, month)).toMatchObject({ status: 'suspended' });
  await changeAccount(database, mine.id, { status: 'active' });
  expect(await holds(id, mine.key.id)).toBe(false);
  expect(await holds(theirs, other.key.id)).toBe(true);
});

it('of the operator is valid only with the same operator key', async () => {
  const operatorFingerprint = Buffer.alloc(32, 1);
  const id = await openSession(database, { operatorFingerprint }, after(60));
  if (id === null) throw new Error('it was not opened');
  expect(await holdsOperatorSession(pool, { id, operatorFingerprint })).toBe(true);
  expect(await holdsOperatorSession(pool, { id, operatorFingerprint: Buffer.alloc(32, 2) })).toBe(false);
  const { key } = await newAccount(database);
  const account = await open(key.id);
  expect(await holdsOperatorSession(pool, { id: account, operatorFingerprint })).toBe(false);
  expect(await holds(id, key.id)).toBe(false);
});

it('is deleted once it has expired, not before', async () => {
  const { key } = await newAccount(database);
  await deleteExpiredSessions(pool);
  const [over, young] = [await open(key.id, -1), await open(key.id)];
  expect(await deleteExpiredSessions(pool)).toBe(1);
  const remaining = await database.prisma.session.findMany({ where: { keyId: key.id } });
  expect(remaining.map(({ id }) => id)).toEqual([young]);
  expect(over).not.toBe(young);
});
