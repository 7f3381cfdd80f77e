import { readdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createAccount } from '@capture/database/accounts/accounts';
import type { Database } from '@capture/database/database';
import { newId } from '@capture/database/ids';
import { openDatabase } from '@capture/database/open-database';
import { fileKey } from '@capture/storage/file-key';
import { openStorage } from '@capture/storage/open-storage';
import { markStore } from '@capture/storage/store-owner';
import { createTestDatabase, type TestDatabase } from '@capture/testing/database';
import { makeTestFolder } from '@capture/testing/test-run';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { runOps } from '../run-ops.test-support.ts';

let target: TestDatabase;
let database: Database;
let folder: string;
let named: string;
let orphans: string[];

beforeAll(async () => {
  target = await createTestDatabase();
  database = openDatabase({ url: target.url });
  await database.pool.query(`INSERT INTO deployment (id, contract_form) VALUES (1, 'B')`);
});
afterAll(async () => {
  await database.close();
  await target.drop();
});

/** The store has a file that a row names, two files without a row, a new file and a file of another program. */
beforeEach(async () => {
  folder = makeTestFolder('orphans');
  const storage = await openStorage(pathToFileURL(folder).href);
  const put = async (key: string, ageMs = 7_200_000) => {
    await storage.put(key, Buffer.from('an image'));
    const at = new Date(Date.now() - ageMs);
    utimesSync(path.join(folder, key), at, at);
    return key;
  };
  const newKey = () => fileKey({ id: newId('req'), attempt: 1, createdAt: new Date() }, 'png');
  named = await put(newKey());
  orphans = [await put(newKey()), await put(newKey())].sort();
  await put(newKey(), 0);
  await put('thesis.pdf');
  const accountId = newId('acc');
  const createdAt = new Date();
  await createAccount(database, { id: accountId, email: `${accountId}@b.c`, signingSecret: 'x', createdAt });
  await database.pool.query(
    `INSERT INTO capture (id, account_id, type, status, url, options, month, created_at, storage_key)
     VALUES ($1, $2, 'screenshot', 'completed', 'https://a.test/', '{}', '2026-11', now(), $3)`,
    [newId('req'), accountId, named],
  );
});

const run = (...args: string[]) =>
  runOps([...args, '--json'], { DATABASE_URL: target.url, STORAGE_URL: pathToFileURL(folder).href });
const jsonOf = (output: string) => JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1));
const filesLeft = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;

it('0: lists old files of captures without a row', async () => {
  const { code, output } = await run('files', 'orphaned');
  expect(code).toBe(0);
  const { files, ...counts } = jsonOf(output);
  expect(counts).toEqual({ checked: 3, removable: 2 });
  expect(files.sort()).toEqual(orphans);
  expect(filesLeft()).toBe(5);
});

it('0, 2: removes files after asking', async () => {
  const asked = await run('files', 'orphaned', '--remove');
  expect([asked.code, asked.output]).toEqual([2, expect.stringContaining('pass --yes')]);
  expect(filesLeft()).toBe(5);
  const { code, output } = await run('files', 'orphaned', '--remove', '--yes');
  expect([code, jsonOf(output)]).toEqual([0, { checked: 3, removable: 2, removed: 2 }]);
  expect(filesLeft()).toBe(3);
});

it('1: asks before it removes files of a store that may belong to another platform: no mark, no known file', async () => {
  await database.pool.query('DELETE FROM capture');
  const { code, output } = await run('files', 'orphaned', '--remove', '--yes');
  expect([code, output]).toEqual([1, expect.stringContaining('this database knows none of its files')]);
  expect(filesLeft()).toBe(5);
});

it('1: refuses in the store of another deployment', async () => {
  await markStore(await openStorage(pathToFileURL(folder).href), 'another');
  const { code, output } = await run('files', 'orphaned', '--remove', '--yes');
  expect([code, output]).toEqual([1, expect.stringContaining('the store belongs to another deployment (another)')]);
  expect(filesLeft()).toBe(6);
});
