import type { Database } from '@capture/database/database';
import { newId } from '@capture/database/ids';
import { openDatabase } from '@capture/database/open-database';
import { createLogger } from '@capture/runtime/service/log';
import { openDiskStorage } from '@capture/storage/disk-storage';
import { thumbnailKey } from '@capture/storage/file-key';
import type { Storage } from '@capture/storage/storage';
import { withClockAhead } from '@capture/testing/clock-ahead';
import { createTestDatabase, type TestDatabase } from '@capture/testing/database';
import { makeTestFolder } from '@capture/testing/test-run';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { removeExpiredFiles } from './clean-up-files.ts';
import type { CleanupDependencies } from './cleanup-dependencies.ts';

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

it('goes on after shared files that cannot be removed yet, until no expired file is left', async () => {
  await storage.put('shared', Buffer.from('shared'));
  const shared = { accountId, type: 'screenshot', status: 'completed', url: 'https://example.com/', options: {} };
  const row = { ...shared, month: '2026-11', format: 'png', createdAt: new Date() };
  const before = new Date(Date.now() - 3_600_000);
  const expired = Array.from({ length: 600 }, () => ({
    ...row,
    id: newId('req'),
    storageKey: 'shared',
    expiresAt: before,
  }));
  await database.prisma.capture.createMany({ data: expired });
  await capture('shared', 5);
  await storage.put('last', Buffer.from('last'));
  const last = await capture('last', -1);
  await removeExpiredFiles(dependencies);
  expect([await exists('shared'), await exists('last'), await keyOf(last)]).toEqual([true, false, null]);
});

it('removes the other files if one cannot be removed, and reports it', async () => {
  const keys = Array.from({ length: 30 }, (_, i) => `file-${i}`);
  for (const key of keys) {
    await storage.put(key, Buffer.from(key));
    await capture(key, -1);
  }
  const remove = async (key: string) => {
    if (key === 'file-3') throw new Error('no permission');
    await storage.remove(key);
  };
  const failing = removeExpiredFiles({ ...dependencies, storage: { ...storage, remove } });
  await expect(failing).rejects.toThrow(/^1 of \d+ files could not be removed$/);
  expect(await Promise.all(keys.map(exists))).toEqual(keys.map((key) => key === 'file-3'));
});

it('keeps the rows of all files while the storage is unavailable, however long, and removes them afterwards', async () => {
  const keys = Array.from({ length: 50 }, (_, i) => `file-${i}`);
  for (const key of keys) {
    await storage.put(key, Buffer.from(key));
    await capture(key, -1);
  }
  const remove = () => Promise.reject(new Error('unavailable'));
  const withFile = () => database.prisma.capture.count({ where: { storageKey: { not: null } } });
  for (let run = 0; run < 3; run += 1) {
    const failing = removeExpiredFiles({ ...dependencies, storage: { ...storage, remove } });
    await expect(failing).rejects.toThrow('20 of 20 files could not be removed');
    expect(await withFile()).toBe(50);
  }
  await removeExpiredFiles(dependencies);
  expect([await withFile(), await Promise.all(keys.map(exists))]).toEqual([0, keys.map(() => false)]);
});

it('keeps files that have not expired by the clock of the database', async () => {
  await storage.put('young', Buffer.from('young'));
  await capture('young', 5);
  await withClockAhead(100 * 86_400_000, () => removeExpiredFiles(dependencies));
  expect(await exists('young')).toBe(true);
});

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

it('removes a thumbnail with its file', async () => {
  const thumbnail = thumbnailKey('old.png')!;
  for (const key of ['old.png', thumbnail]) await storage.put(key, Buffer.from(key));
  await capture('old.png', -1);
  await removeExpiredFiles(dependencies);
  expect([await exists('old.png'), await exists(thumbnail)]).toEqual([false, false]);
});
