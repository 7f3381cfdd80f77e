import { createAccount } from '@capture/database/accounts/accounts';
import type { Database } from '@capture/database/database';
import { newId } from '@capture/database/ids';
import { openDatabase } from '@capture/database/open-database';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openGateway, type TestGateway } from './gateway.test-support.ts';
import { shareOps } from './run-ops.test-support.ts';

let gateway: TestGateway;
let database: Database;

beforeAll(async () => {
  gateway = await openGateway();
  database = openDatabase({ url: gateway.databaseUrl });
});
afterAll(async () => {
  await database.close();
  await gateway.close();
});

const shared = shareOps();
afterAll(() => shared.kill());
const ops = (...args: string[]) => shared.run(args, gateway.env);

async function createAccountOf(email: string): Promise<string> {
  const id = newId('acc');
  await createAccount(database, { id, email, signingSecret: 'x', createdAt: new Date() });
  return id;
}

const exists = async (id: string) => (await database.prisma.account.count({ where: { id } })) === 1;

describe('npm run ops -- accounts delete', () => {
  it('0: deletes an account by its email address or its ID', async () => {
    const [one, two, other] = [
      await createAccountOf('one@b.de'),
      await createAccountOf('two@b.de'),
      await createAccountOf('other@b.de'),
    ];
    expect(await ops('accounts', 'delete', 'one@b.de', '--yes')).toEqual({ code: 0, output: 'one@b.de was deleted\n' });
    const json = await ops('--json', 'accounts', 'delete', two, '--yes');
    expect([json.code, JSON.parse(json.output)]).toEqual([0, { deleted: true }]);
    expect([await exists(one), await exists(two), await exists(other)]).toEqual([false, false, true]);
  });

  it('1: reports an unknown account', async () => {
    const byId = await ops('accounts', 'delete', 'acc_none', '--yes');
    expect([byId.code, byId.output]).toEqual([1, 'There is no account with this ID (acc_…).\n']);
    const byAddress = await ops('accounts', 'delete', 'none@b.de', '--yes');
    expect([byAddress.code, byAddress.output]).toEqual([1, 'no account is registered with none@b.de\n']);
  });

  it('2: deletes nothing without --yes when there is no terminal', async () => {
    const id = await createAccountOf('kept@b.de');
    const { code, output } = await ops('accounts', 'delete', 'kept@b.de');
    expect([code, output]).toEqual([2, 'no terminal to ask for confirmation: pass --yes\n']);
    expect(await exists(id)).toBe(true);
    expect((await ops('accounts', 'delete')).code).toBe(2);
  });
});

describe('npm run ops -- accounts', () => {
  it('0: changes plan and status, and issues a key and a secret', async () => {
    await createAccountOf('ada@b.de');
    expect((await ops('accounts', 'set-plan', 'ada@b.de', 'pro')).output).toBe('ada@b.de is on the plan pro\n');
    expect((await ops('accounts', 'suspend', 'ada@b.de')).output).toBe('ada@b.de is suspended\n');
    expect((await ops('accounts', 'activate', 'ada@b.de')).output).toBe('ada@b.de is active\n');
    expect((await ops('accounts', 'resume', 'ada@b.de')).code).toBe(0);
    expect((await ops('accounts', 'issue-key', 'ada@b.de')).output).toMatch(/^API key: \S{30,}\n$/);
    expect((await ops('accounts', 'issue-secret', 'ada@b.de')).output).toMatch(/^signing secret: whsec_\S+\n$/);
    const [row] = JSON.parse((await ops('--json', 'accounts', 'list', '--email', 'ada@b.de')).output);
    expect(row).toMatchObject({ email: 'ada@b.de', plan: 'pro', status: 'active' });
    const refused = await ops('accounts', 'set-plan', 'ada@b.de', 'platinum');
    expect([refused.code, refused.output]).toEqual([1, expect.stringMatching(/plan.* must be one of free, starter/)]);
  });
});

describe('npm run ops -- accounts list', () => {
  it('2: refuses an invalid limit', async () => {
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
