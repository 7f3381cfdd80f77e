import { type Database, openDatabase } from '@capture/database/database';
import { newId } from '@capture/database/ids';
import { createLogger } from '@capture/runtime/service/log';
import { openDiskStorage } from '@capture/storage/disk-storage';
import type { Storage } from '@capture/storage/storage';
import { createTestDatabase, type TestDatabase } from '@capture/testing/database';
import { makeTestFolder } from '@capture/testing/test-run';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { removeExpiredFiles } from './clean-up-files.ts';
import type { CleanupDependencies } from './remove-files.ts';

let testDatabase: TestDatabase;
let database: Database;
let storage: Storage;
let dependencies: CleanupDependencies;
let accountId: string;

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  database = openDatabase({ url: testDatabase.url });
  storage = await openDiskStorage({ directory: makeTestFolder('cleanup') });
  dependencies = { database, storage, log: createLogger('test', { level: 'silent' }) };
  accountId = newId('acc');
  const createdAt = new Date();
  const secret = { signingSecret: 'encrypted', signingSecretCreatedAt: createdAt };
  await database.prisma.account.create({
    data: { id: accountId, email: 'cleanup@example.com', plan: 'free', createdAt, ...secret },
  });
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

/** Creates a completed capture whose file expires in `minutes` (negative: it has expired). */
async function capture(storageKey: string, minutes: number): Promise<string> {
  const id = newId('req');
  const now = new Date();
  await database.prisma.capture.create({
    data: {
      id,
      accountId,
      type: 'screenshot',
      status: 'completed',
      url: 'https://example.com/',
      options: {},
      month: '2026-11',
      format: 'png',
      storageKey,
      expiresAt: new Date(now.getTime() + minutes * 60_000),
      createdAt: now,
    },
  });
  return id;
}

const exists = async (key: string) => {
  const file = await storage.open(key);
  file?.stream.destroy();
  return file !== null;
};
const keyOf = async (id: string) => (await database.prisma.capture.findUniqueOrThrow({ where: { id } })).storageKey;

it('removes expired files and keeps their rows; keeps a shared file until its last row expires', async () => {
  for (const key of ['old', 'young', 'shared']) await storage.put(key, Buffer.from(key));
  const old = await capture('old', -1);
  const young = await capture('young', 5);
  const sharedOld = await capture('shared', -1);
  const sharedYoung = await capture('shared', 5);
  await removeExpiredFiles(dependencies);
  expect([await exists('old'), await exists('young'), await exists('shared')]).toEqual([false, true, true]);
  expect([await keyOf(old), await keyOf(young), await keyOf(sharedOld)]).toEqual([null, 'young', null]);

  await database.prisma.capture.update({ where: { id: sharedYoung }, data: { expiresAt: new Date(0) } });
  await removeExpiredFiles(dependencies);
  expect(await exists('shared')).toBe(false);
});
