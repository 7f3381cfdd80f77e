import { chmod, mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { readCleanupJobRuns } from '@capture/database/cleanup/cleanup-runs';
import type { Database } from '@capture/database/database';
import { newId } from '@capture/database/ids';
import { openDatabase } from '@capture/database/open-database';
import { createLogger } from '@capture/runtime/service/log';
import { fileKey, htmlKey, outputKey, thumbnailKey } from '@capture/storage/file-key';
import { openStorage } from '@capture/storage/open-storage';
import type { Storage } from '@capture/storage/storage';
import { withClockAhead } from '@capture/testing/clock-ahead';
import { createTestDatabase } from '@capture/testing/database';
import { type S3Server, s3Credentials, startS3Server } from '@capture/testing/network/s3-server';
import { makeTestFolder } from '@capture/testing/test-run';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { removeOrphans } from './remove-orphans.ts';

const environment = { ...process.env };
let s3: S3Server;
beforeAll(async () => {
  Object.assign(process.env, s3Credentials);
  s3 = await startS3Server();
});
afterAll(async () => {
  process.env = environment;
  await s3.close();
});

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (let close = closings.pop(); close; close = closings.pop()) await close();
});

const errors: string[] = [];
const log = createLogger('test', { level: 'silent' });
Object.assign(log, { error: (_: unknown, message: string) => errors.push(message) });

interface Deployment {
  database: Database;
  accountId: string;
}

/** Sets up a database as a deployment, with one account. */
async function newDeployment(): Promise<Deployment> {
  const testDatabase = await createTestDatabase();
  closings.push(() => testDatabase.drop());
  const database = openDatabase({ url: testDatabase.url, connections: 3 });
  closings.push(() => database.close());
  await database.prisma.deployment.create({ data: { contractForm: 'B' } });
  const accountId = newId('acc');
  const [createdAt, email] = [new Date(), 'cleanup@example.com'];
  const secret = { signingSecret: 'encrypted', signingSecretCreatedAt: createdAt };
  await database.prisma.account.create({ data: { id: accountId, email, plan: 'free', createdAt, ...secret } });
  return { database, accountId };
}

const newKey = () => fileKey({ id: newId('req'), attempt: 1, createdAt: new Date() }, 'png');

/** Stores files, each with a row. @returns their keys. */
async function putCaptures(storage: Storage, { database, accountId }: Deployment, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, newKey);
  for (const key of keys) await storage.put(key, Buffer.from('an image'));
  const common = { type: 'screenshot', status: 'completed', url: 'https://example.com/', options: {} };
  const createdAt = new Date();
  await database.prisma.capture.createMany({
    data: keys.map((storageKey) => ({
      ...common,
      id: newId('req'),
      accountId,
      month: '2026-11',
      format: 'png',
      storageKey,
      createdAt,
    })),
  });
  return keys;
}

async function putOrphans(storage: Storage, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, newKey);
  for (const key of keys) await storage.put(key, Buffer.from('an image'));
  return keys;
}

const marker = 'capture-deployment.json';
let stores = 0;
const kinds = {
  folder: () => pathToFileURL(makeTestFolder('cleanup')).href,
  bucket: () => {
    stores += 1;
    return `s3://captures/store-${stores}?${s3.parameter}`;
  },
};

describe.each(Object.entries(kinds))('the cleanup of files without a row in a %s', (_, newUrl) => {
  let storage: Storage;
  let deployment: Deployment;
  beforeEach(async () => {
    errors.length = 0;
    storage = await openStorage(newUrl());
    deployment = await newDeployment();
  });

  /** Removes orphans of any age. */
  const run = ({ database } = deployment) => removeOrphans({ database, storage, log }, -60_000);
  async function keys(): Promise<string[]> {
    const found: string[] = [];
    for await (const key of storage.list(new Date(Date.now() + 60_000))) found.push(key);
    return found.sort();
  }

  it('removes only old files that no row names', async () => {
    const named = await putCaptures(storage, deployment, 2);
    const orphans = await putOrphans(storage, 1);
    const { database } = deployment;
    await removeOrphans({ database, storage, log });
    expect(await keys()).toEqual(expect.arrayContaining(orphans));
    await run();
    expect(await keys()).toEqual([...named, marker].sort());
    expect(errors).toEqual([]);
  });

  it('keeps the thumbnail of a file that a row names, and removes one whose file has none', async () => {
    const [named = ''] = await putCaptures(storage, deployment, 1);
    const thumbnails = [named, newKey()].map((key) => thumbnailKey(key)!);
    for (const key of thumbnails) await storage.put(key, Buffer.from('an image'));
    await run();
    expect(await keys()).toEqual([named, thumbnails[0], marker].sort());
  });

  it('removes what a killed process left half-written', async () => {
    await putCaptures(storage, deployment, 1);
    const part = `${newKey()}.part-0123456789ab`;
    await storage.put(part, Buffer.from('half'));
    await run();
    expect(await keys()).not.toContain(part);
  });

  it('removes submitted pages whose capture has ended or has no row, and keeps those of open ones', async () => {
    const { database, accountId } = deployment;
    const common = { accountId, type: 'screenshot', url: 'about:blank', options: {}, month: '2026-11' };
    const open: string[] = [];
    for (const status of ['queued', 'processing', 'completed', 'failed', 'cancelled', null]) {
      const id = newId('req');
      await storage.put(htmlKey(id), Buffer.from('<p>page'));
      if (status) await database.prisma.capture.create({ data: { ...common, id, status, createdAt: new Date() } });
      if (status === 'queued' || status === 'processing') open.push(htmlKey(id));
    }
    await storage.put(`${htmlKey(newId('req'))}.part-0123456789ab`, Buffer.from('half'));
    const foreign = 'html/ab/index.html';
    await storage.put(foreign, Buffer.from('of someone else'));
    await run();
    expect(await keys()).toEqual([...open, foreign, marker].sort());
  });

  it('never removes files whose keys have another form', async () => {
    await putCaptures(storage, deployment, 1);
    const [own] = await putOrphans(storage, 1);
    const foreign = ['thesis.pdf', 'photos/holiday.jpg', '2026-11-20/ab/notes.png', `other/${own}`, `${own}.bak`];
    for (const key of foreign) await storage.put(key, Buffer.from('of someone else'));
    await run();
    expect(await keys()).toEqual(expect.arrayContaining(foreign));
    expect(await keys()).not.toContain(own);
  });

  it('removes nothing with the database of another deployment', async () => {
    await putCaptures(storage, deployment, 1);
    await run();
    const [orphan] = await putOrphans(storage, 1);
    const before = await keys();
    await expect(run(await newDeployment())).rejects.toThrow('the store belongs to another deployment');
    expect(errors).toEqual(['no files without a row are removed until this is resolved']);
    expect(await keys()).toEqual(before);
    await run();
    expect(await keys()).not.toContain(orphan);
  });

  it('removes nothing from a store without a marker if no file is known, and does not mark it', async () => {
    const orphans = await putOrphans(storage, 3);
    await expect(run()).rejects.toThrow(/^the files of 3 of 3 captures in the store have no row/);
    const runs = await readCleanupJobRuns(deployment.database.pool);
    const { lastError } = runs.find(({ name }) => name === 'files without a row') ?? {};
    expect(lastError).toMatch(/^the files of 3 of 3 captures/);
    expect(await keys()).toEqual(orphans.sort());
  });

  it('marks an empty store, and removes nothing while its marker cannot be read', async () => {
    await run();
    expect(await keys()).toEqual([marker]);
    await storage.put(marker, Buffer.from('something else'));
    await putOrphans(storage, 1);
    await expect(run()).rejects.toThrow(`${marker} in the store is not a deployment's marker`);
    expect(await keys()).toHaveLength(2);
  });
});

describe('the cleanup of files without a row', () => {
  it.each([
    { known: 600, orphaned: 501, what: 'more than one capture in 20, and more than 500, have no row' },
    { known: 20, orphaned: 21, what: 'more than half of a few captures have no row' },
  ])('removes nothing if $what', async ({ known, orphaned }) => {
    const storage = await openStorage(kinds.folder());
    const deployment = await newDeployment();
    await putCaptures(storage, deployment, known);
    await removeOrphans({ ...deployment, storage, log }, -60_000);
    const orphans = await putOrphans(storage, orphaned);
    const run = () => removeOrphans({ ...deployment, storage, log }, -60_000);
    await expect(run()).rejects.toThrow(
      `the files of ${orphaned} of ${known + orphaned} captures in the store have no row, too many to be left by lost processes`,
    );
    await storage.remove(orphans[0]!);
    await run();
    expect(await storage.open(orphans[1]!)).toBeNull();
  });

  it('counts the further files of a capture as one with its own', async () => {
    const storage = await openStorage(kinds.folder());
    const deployment = await newDeployment();
    await putCaptures(storage, deployment, 20);
    const orphans = await putOrphans(storage, 10);
    for (const key of orphans) {
      for (const number of [2, 3, 4]) await storage.put(outputKey(key, number, 'pdf'), Buffer.from('a document'));
    }
    await removeOrphans({ ...deployment, storage, log }, -60_000);
    expect(await storage.open(outputKey(orphans[0]!, 4, 'pdf'))).toBeNull();
  });

  it('keeps young files by the clock of the database', async () => {
    const storage = await openStorage(kinds.folder());
    const deployment = await newDeployment();
    await putCaptures(storage, deployment, 1);
    const [orphan] = await putOrphans(storage, 1);
    await withClockAhead(100 * 86_400_000, () => removeOrphans({ ...deployment, storage, log }));
    const file = await storage.open(orphan!);
    expect(file).not.toBeNull();
    file?.stream.destroy();
  });

  it('removes any number of pages whose captures have ended', async () => {
    const storage = await openStorage(kinds.folder());
    const deployment = await newDeployment();
    const ids = Array.from({ length: 600 }, () => newId('req'));
    for (const id of ids) await storage.put(htmlKey(id), Buffer.from('<p>page'));
    const row = { accountId: deployment.accountId, type: 'screenshot', status: 'cancelled', url: 'about:blank' };
    const createdAt = new Date();
    await deployment.database.prisma.capture.createMany({
      data: ids.map((id) => ({ ...row, id, options: {}, month: '2026-11', createdAt })),
    });
    await removeOrphans({ ...deployment, storage, log }, -60_000);
    expect(await storage.open(htmlKey(ids[0]!))).toBeNull();
  });

  it('goes on after files and folders that other programs put into its folder', async () => {
    const folder = makeTestFolder('cleanup');
    const storage = await openStorage(pathToFileURL(folder).href);
    const deployment = await newDeployment();
    await putCaptures(storage, deployment, 1);
    const [orphan] = await putOrphans(storage, 1);
    await writeFile(path.join(folder, '.keep'), '');
    await writeFile(path.join(folder, 'with a space'), '');
    await mkdir(path.join(folder, 'lost+found'));
    await chmod(path.join(folder, 'lost+found'), 0);
    await utimes(path.join(folder, '.keep'), 0, 0);
    await removeOrphans({ ...deployment, storage, log }, -60_000);
    await chmod(path.join(folder, 'lost+found'), 0o700);
    expect(await storage.open(orphan!)).toBeNull();
    expect(await readdir(folder)).toEqual(expect.arrayContaining(['.keep', 'with a space', 'lost+found']));
  });
});
