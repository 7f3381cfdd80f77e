import { createAccount } from '@capture/database/accounts/accounts';
import type { Database } from '@capture/database/database';
import { insertEvent } from '@capture/database/deliveries/insert-event';
import { newId } from '@capture/database/ids';
import { openDatabase } from '@capture/database/open-database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openGateway, type TestGateway } from '../gateway.test-support.ts';
import { shareOps } from '../run-ops.test-support.ts';

const ops = shareOps();
afterAll(() => ops.kill());

const body = Buffer.from('{"event":"capture.completed"}');

describe('npm run ops -- deliveries', () => {
  let gateway: TestGateway;
  let database: Database;
  let accountId: string;
  let other: string;

  beforeAll(async () => {
    gateway = await openGateway();
    database = openDatabase({ url: gateway.databaseUrl });
    [accountId, other] = [newId('acc'), newId('acc')];
    for (const id of [accountId, other]) {
      await createAccount(database, { id, email: `${id}@b.c`, signingSecret: 'x', createdAt: new Date() });
    }
  });
  afterAll(async () => {
    await database.close();
    await gateway.close();
  });
  beforeEach(() => database.pool.query('TRUNCATE event, delivery, delivery_attempt'));

  const call = (...args: string[]) => ops.run(['deliveries', ...args], gateway.env);
  const callJson = async (...args: string[]) => {
    const { code, output } = await call(...args, '--json');
    return { code, rows: JSON.parse(output) };
  };

  /** Creates failed deliveries of the account, a minute apart, the newest a minute ago. */
  async function createDeliveries(count: number, owner = accountId, url = 'https://hooks.example.com/'): Promise<void> {
    for (let i = 1; i <= count; i++) {
      const event = { name: 'capture.completed', body } as const;
      const at = new Date(Date.now() - i * 60_000);
      await insertEvent(database.pool, owner, [{ webhookId: null, url, paused: false }], event, {
        at,
        captureId: newId('req'),
      });
    }
    await database.pool.query(
      `UPDATE delivery SET status = 'failed', completed_at = now(), next_attempt_at = NULL, last_error = 'http_5xx',
                           attempt_count = 6`,
    );
  }

  const countByStatus = async (status: string) => {
    const { rows } = await database.pool.query('SELECT count(*)::int FROM delivery WHERE status = $1', [status]);
    return rows[0].count;
  };

  it('0: lists deliveries as a table without control characters', async () => {
    await createDeliveries(1, accountId, 'https://hooks.example.com/\u001b[2J');
    const { code, output } = await call('list');
    expect(code).toBe(0);
    for (const text of ['account_id', 'dlv_', accountId, 'capture.completed', 'failed', 'http_5xx', '6']) {
      expect(output).toContain(text);
    }
    expect(output).not.toContain('\u001b');
    expect((await call('list', '--status', 'pending')).output).toBe('none\n');
  });

  it('0: lists up to --limit rows across pages, by every filter', async () => {
    await createDeliveries(120);
    await createDeliveries(1, other);
    const all = await callJson('list', '--limit', '1000');
    expect(all.code).toBe(0);
    expect(new Set(all.rows.map(({ id }: { id: string }) => id)).size).toBe(121);
    expect((await callJson('list', '--limit', '110')).rows).toHaveLength(110);
    expect((await callJson('list')).rows).toHaveLength(100);
    const countListed = async (...args: string[]) => (await callJson('list', ...args)).rows.length;
    expect(await countListed('--account', other)).toBe(1);
    expect(await countListed('--webhook', `wh_${'0'.repeat(26)}`)).toBe(0);
    expect(await countListed('--event', 'capture.failed')).toBe(0);
    expect(await countListed('--account', accountId, '--since', '30m')).toBeLessThanOrEqual(30);
    expect(await countListed('--account', accountId, '--status', 'failed', '--until', '100m')).toBeGreaterThanOrEqual(
      20,
    );
  });

  it('0: retries a delivery', async () => {
    await createDeliveries(2);
    const [{ id }] = (await callJson('list')).rows;
    const { code, output } = await call('retry', id);
    expect([code, output]).toEqual([0, `${id} is due now\n`]);
    expect(await countByStatus('pending')).toBe(1);
    expect((await callJson('retry', id)).rows).toMatchObject({ id, status: 'pending', account_id: accountId });
  });

  it('0: shows a delivery with its attempts', async () => {
    await createDeliveries(1);
    const [{ id }] = (await callJson('list')).rows;
    await database.pool.query(
      `INSERT INTO delivery_attempt (delivery_id, number, trigger, started_at, duration_ms, status, error, response_excerpt)
       VALUES ($1, 1, 'schedule', now(), 12, 500, 'http_5xx', E'a page\u001b[2J')`,
      [id],
    );
    const { code, output } = await call('show', id);
    expect(code).toBe(0);
    expect(output).toMatch(/^status +failed$/m);
    expect(output).toMatch(/^payload +.*capture.completed/m);
    expect(output).toMatch(/1 +│ schedule +│ .*│ 12 +│ 500 +│ http_5xx +│ a page/);
    expect(output).not.toContain('\u001b');
    expect((await callJson('show', id)).rows).toMatchObject({ id, attempts: [{ number: 1, status: 500 }] });
    expect((await call('show', 'dlv_unknown')).code).toBe(1);
  });

  it('0: counts without replaying with --dry-run', async () => {
    await createDeliveries(4);
    await database.pool.query(
      `UPDATE delivery SET webhook_id = 'wh_deleted', last_error = 'endpoint_deleted' WHERE id = (SELECT min(id) FROM delivery)`,
    );
    const { code, output } = await call('replay', '--since', '1d', '--dry-run');
    expect([code, output]).toEqual([
      0,
      '3 deliveries would be replayed; deliveries of deleted endpoints are left out\n',
    ]);
    expect(await countByStatus('pending')).toBe(0);
  });

  it('0: replays the deliveries of a period, without a progress bar when there is no terminal', async () => {
    await createDeliveries(30);
    await createDeliveries(2, other);
    const one = await call('replay', '--since', '1d', '--account', other);
    expect([one.code, one.output]).toEqual([0, '2 deliveries replayed\n']);
    expect((await callJson('replay', '--since', '1d', '--status', 'delivered')).rows).toEqual({ replayed: 0 });
    expect((await callJson('replay', '--since', '7d', '--until', '15m')).rows.replayed).toBeGreaterThanOrEqual(15);
    await call('replay', '--since', '30d', '--status', 'all');
    expect(await countByStatus('pending')).toBe(32);
    expect((await call('replay', '--since', '1d')).output).toBe('0 deliveries replayed\n');
  });

  it('1, 3: reports why the platform refused, or that it does not respond', async () => {
    const refused = await call('retry', 'dlv_unknown');
    expect([refused.code, refused.output]).toEqual([1, 'There is no delivery with this ID (dlv_…).\n']);
    const wrongKey = await ops.run(['deliveries', 'list'], {
      ...gateway.env,
      OPERATOR_KEY: 'another-key-of-more-than-32-characters',
    });
    expect([wrongKey.code, wrongKey.output]).toEqual([1, expect.stringContaining('needs the operator key')]);
    const unreachable = await ops.run(['deliveries', 'list'], { ...gateway.env, PORT: '1' });
    expect([unreachable.code, unreachable.output]).toEqual([
      3,
      expect.stringContaining('does not respond; is it running?'),
    ]);
  });

  it.each([
    [['list', '--since', 'yesterday'], "option '--since <time>' argument 'yesterday' is invalid"],
    [['list', '--limit', '0'], 'whole number of at least 1'],
    [['list', '--status', 'open'], 'Allowed choices are pending, delivered, failed, paused'],
    [['replay'], "required option '--since <time>' not specified"],
    [['replay', '--since', '1h', '--until', '2h'], '--until must be later than --since'],
    [['retry'], "missing required argument 'delivery'"],
  ])('2: %j', async (args, fault) => {
    const { code, output } = await call(...args);
    expect(output).toContain(fault);
    expect(code).toBe(2);
  });

  it('0: prints help without a platform', async () => {
    for (const command of ['list', 'show', 'retry', 'replay']) {
      const { code, output } = await ops.run(['deliveries', command, '--help'], {});
      expect(code).toBe(0);
      expect(output).toMatch(/Examples?:\n {2}npm run ops -- /);
    }
  });
});

describe('npm run ops -- deliveries with form A', () => {
  it('1: reports for every command that form A keeps no deliveries', async () => {
    const gateway = await openGateway({ CONTRACT_FORM: 'A' });
    try {
      for (const args of [['list'], ['show', 'dlv_none'], ['retry', 'dlv_none'], ['replay', '--since', '1h']]) {
        const { code, output } = await ops.run(['deliveries', ...args], gateway.env);
        expect([args, code, output]).toEqual([args, 1, expect.stringContaining('API profile A keeps no deliveries')]);
      }
    } finally {
      await gateway.close();
    }
  });
});
