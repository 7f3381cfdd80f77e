import { createAccount } from '@capture/database/accounts/accounts';
import { type Database, openDatabase } from '@capture/database/database';
import { insertEvent } from '@capture/database/deliveries/insert-event';
import { newId } from '@capture/database/ids';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openGateway, type TestGateway } from './gateway.test-support.ts';
import { runOps } from './run-ops.test-support.ts';

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
      await createAccount(database.pool, { id, email: `${id}@b.c`, signingSecret: 'x', createdAt: new Date() });
    }
  });
  afterAll(async () => {
    await database.close();
    await gateway.close();
  });
  beforeEach(() => database.pool.query('TRUNCATE event CASCADE'));

  const call = (...args: string[]) => runOps(['deliveries', ...args], gateway.env);
  const callJson = async (...args: string[]) => {
    const { code, output } = await call(...args, '--json');
    return { code, answer: JSON.parse(output) };
  };

  /** Failed deliveries of the account, a minute apart, the newest a minute ago. */
  async function arrange(count: number, of = accountId, url = 'https://hooks.example.com/'): Promise<void> {
    for (let i = 1; i <= count; i++) {
      const event = { name: 'capture.completed', body } as const;
      const at = new Date(Date.now() - i * 60_000);
      await insertEvent(database.pool, of, [{ webhookId: null, url, paused: false }], event, {
        at,
        captureId: newId('req'),
      });
    }
    await database.pool.query(
      `UPDATE delivery SET status = 'failed', completed_at = now(), next_attempt_at = NULL, last_error = 'http_5xx',
                           attempt_count = 6`,
    );
  }

  const countOf = async (status: string) => {
    const { rows } = await database.pool.query('SELECT count(*)::int FROM delivery WHERE status = $1', [status]);
    return rows[0].count;
  };

  it('0: lists deliveries as a table, with nothing that steers the terminal', async () => {
    await arrange(1, accountId, 'https://hooks.example.com/\u001b[2J');
    const { code, output } = await call('list');
    expect(code).toBe(0);
    for (const text of ['account_id', 'dlv_', accountId, 'capture.completed', 'failed', 'http_5xx', '6']) {
      expect(output).toContain(text);
    }
    expect(output).not.toContain('\u001b');
    expect((await call('list', '--status', 'pending')).output).toBe('none\n');
  });

  it('0: lists as many as are asked for, page after page, by every filter', async () => {
    await arrange(120);
    await arrange(1, other);
    const all = await callJson('list', '--limit', '1000');
    expect(all.code).toBe(0);
    expect(new Set(all.answer.map(({ id }: { id: string }) => id)).size).toBe(121);
    expect((await callJson('list', '--limit', '110')).answer).toHaveLength(110);
    expect((await callJson('list')).answer).toHaveLength(100);
    const of = async (...args: string[]) => (await callJson('list', ...args)).answer.length;
    expect(await of('--account', other)).toBe(1);
    expect(await of('--webhook', 'wh_1')).toBe(0);
    expect(await of('--event', 'capture.failed')).toBe(0);
    expect(await of('--account', accountId, '--since', '30m')).toBeLessThanOrEqual(30);
    expect(await of('--account', accountId, '--status', 'failed', '--until', '100m')).toBeGreaterThanOrEqual(20);
  });

  it('0: retries one', async () => {
    await arrange(2);
    const [{ id }] = (await callJson('list')).answer;
    const { code, output } = await call('retry', id);
    expect([code, output]).toEqual([0, `${id} is due now\n`]);
    expect(await countOf('pending')).toBe(1);
    expect((await callJson('retry', id)).answer).toMatchObject({ id, status: 'pending', account_id: accountId });
  });

  it('0: shows one with its attempts', async () => {
    await arrange(1);
    const [{ id }] = (await callJson('list')).answer;
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
    expect((await callJson('show', id)).answer).toMatchObject({ id, attempts: [{ number: 1, status: 500 }] });
    expect((await call('show', 'dlv_unknown')).code).toBe(1);
  });

  it('0: counts what a replay would send, and sends nothing', async () => {
    await arrange(3);
    const { code, output } = await call('replay', '--since', '1d', '--dry-run');
    expect([code, output]).toEqual([0, '3 deliveries would be sent again\n']);
    expect(await countOf('pending')).toBe(0);
  });

  it('0: replays those of a time, slice by slice, without a bar where nobody watches', async () => {
    await arrange(30);
    await arrange(2, other);
    const one = await call('replay', '--since', '1d', '--account', other);
    expect([one.code, one.output]).toEqual([0, '2 deliveries are sent again\n']);
    expect((await callJson('replay', '--since', '1d', '--status', 'delivered')).answer).toEqual({ replayed: 0 });
    expect((await callJson('replay', '--since', '7d', '--until', '15m')).answer.replayed).toBeGreaterThanOrEqual(15);
    await call('replay', '--since', '30d', '--status', 'all');
    expect(await countOf('pending')).toBe(32);
    expect((await call('replay', '--since', '1d')).output).toBe('0 deliveries are sent again\n');
  });

  it('1, 3: says why the platform refused, or that it does not answer', async () => {
    const refused = await call('retry', 'dlv_unknown');
    expect([refused.code, refused.output]).toEqual([1, 'There is no such delivery.\n']);
    const strange = await runOps(['deliveries', 'list'], {
      ...gateway.env,
      OPERATOR_KEY: 'another-key-of-more-than-32-characters',
    });
    expect([strange.code, strange.output]).toEqual([1, expect.stringContaining('operator key is needed')]);
    const away = await runOps(['deliveries', 'list'], { ...gateway.env, PORT: '1' });
    expect([away.code, away.output]).toEqual([3, expect.stringContaining('does not answer; is it running?')]);
  });

  it.each([
    [['list', '--since', 'yesterday'], "option '--since <time>' argument 'yesterday' is invalid"],
    [['list', '--limit', '0'], 'whole number from 1'],
    [['list', '--status', 'open'], 'Allowed choices are pending, delivered, failed, paused'],
    [['replay'], "required option '--since <time>' not specified"],
    [['replay', '--since', '1h', '--until', '2h'], '--until must be later than --since'],
    [['retry'], "missing required argument 'delivery'"],
  ])('2: %j', async (args, fault) => {
    const { code, output } = await call(...args);
    expect(output).toContain(fault);
    expect(code).toBe(2);
  });

  it('0: shows how it is used, without a platform', async () => {
    for (const command of ['list', 'show', 'retry', 'replay']) {
      const { code, output } = await runOps(['deliveries', command, '--help'], {});
      expect(code).toBe(0);
      expect(output).toMatch(/Examples?:\n {2}npm run ops -- /);
    }
  });
});

describe('npm run ops -- deliveries where form A is served', () => {
  it('1: says that there are none, whatever is asked', async () => {
    const gateway = await openGateway({ CONTRACT_FORM: 'A' });
    try {
      for (const args of [['list'], ['show', 'dlv_none'], ['retry', 'dlv_none'], ['replay', '--since', '1h']]) {
        const { code, output } = await runOps(['deliveries', ...args], gateway.env);
        expect([args, code, output]).toEqual([args, 1, expect.stringContaining('form A, which keeps no deliveries')]);
      }
    } finally {
      await gateway.close();
    }
  });
});
