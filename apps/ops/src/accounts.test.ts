import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createAccount } from '@capture/database/create-account';
import { type Database, openDatabase } from '@capture/database/database';
import { newId } from '@capture/database/ids';
import { createTestDatabase } from '@capture/testing/database';
import { findOwnPort } from '@capture/testing/own-port';
import { startProcess, startService } from '@capture/testing/processes';
import { createTestRedis } from '@capture/testing/redis';
import { makeTestFolder, repositoryRoot } from '@capture/testing/test-run';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const closings: (() => unknown)[] = [];
let database: Database;
let env: Record<string, string>;

beforeAll(async () => {
  const testDatabase = await createTestDatabase();
  closings.push(() => testDatabase.drop());
  database = openDatabase({ url: testDatabase.url });
  closings.push(() => database.close());
  const redis = await createTestRedis();
  closings.push(() => redis.close());
  env = { PORT: String(await findOwnPort()), OPERATOR_KEY: 'an-operator-key-of-more-than-32-characters' };
  const gateway = await startService('api-gateway', {
    ...env,
    DATABASE_URL: testDatabase.url,
    REDIS_URL: redis.url,
    STORAGE_URL: pathToFileURL(makeTestFolder('gateway')).href,
    SECRET_KEY: 'a-secret-key-of-more-than-32-characters',
  });
  closings.push(() => gateway.stop());
});
afterAll(async () => {
  for (const close of closings.reverse()) await close();
});

/** Runs the built command line to its end; nobody sits at a terminal. */
async function ops(...args: string[]) {
  const main = path.join(repositoryRoot, 'apps', 'ops', 'dist', 'main.js');
  const run = startProcess({ name: 'ops', args: [main, ...args], env });
  const { code } = await run.exited;
  return { code, output: run.output() };
}

async function arrange(email: string): Promise<string> {
  const id = newId('acc');
  await createAccount(database.pool, { id, email, signingSecret: 'x', createdAt: new Date() });
  return id;
}

const isThere = async (id: string) => (await database.prisma.account.count({ where: { id } })) === 1;

describe('npm run ops -- accounts delete', () => {
  it('0: deletes an account by its address or its id', async () => {
    const [one, two, other] = [await arrange('one@b.de'), await arrange('two@b.de'), await arrange('other@b.de')];
    expect(await ops('accounts', 'delete', 'one@b.de', '--yes')).toEqual({ code: 0, output: 'one@b.de is deleted\n' });
    const json = await ops('--json', 'accounts', 'delete', two, '--yes');
    expect([json.code, JSON.parse(json.output)]).toEqual([0, { deleted: true }]);
    expect([await isThere(one), await isThere(two), await isThere(other)]).toEqual([false, false, true]);
  });

  it('1: says that there is no such account', async () => {
    const byId = await ops('accounts', 'delete', 'acc_none', '--yes');
    expect([byId.code, byId.output]).toEqual([1, 'There is no such account.\n']);
    const byAddress = await ops('accounts', 'delete', 'none@b.de', '--yes');
    expect([byAddress.code, byAddress.output]).toEqual([1, 'no account is registered with none@b.de\n']);
  });

  it('2: deletes nothing without --yes where nobody can be asked', async () => {
    const id = await arrange('kept@b.de');
    const { code, output } = await ops('accounts', 'delete', 'kept@b.de');
    expect([code, output]).toEqual([2, 'there is no terminal to ask at: give --yes\n']);
    expect(await isThere(id)).toBe(true);
    expect((await ops('accounts', 'delete')).code).toBe(2);
  });
});

describe('npm run ops -- accounts list', () => {
  it('2: takes no limit that is none', async () => {
    for (const limit of ['0', 'many', '1.5', '-1'])
      expect((await ops('accounts', 'list', `--limit=${limit}`)).code).toBe(2);
    expect((await ops('accounts', 'list', '--limit', '1')).code).toBe(0);
  });
});

describe('npm run ops -- queues', () => {
  it('0: shows both queues as a table, or as JSON', async () => {
    const { code, output } = await ops('queues');
    expect(code).toBe(0);
    for (const text of ['name', 'waiting', 'oldest_waiting_s', 'captures', 'deliveries'])
      expect(output).toContain(text);
    const json = await ops('queues', '--json');
    expect(JSON.parse(json.output)).toEqual(
      ['captures', 'deliveries'].map((name) => ({
        name,
        waiting: 0,
        active: 0,
        delayed: 0,
        oldest_waiting_s: null,
        workers: 0,
      })),
    );
  });

  it('2: takes no arguments', async () => {
    expect((await ops('queues', 'captures')).code).toBe(2);
  });
});
