import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createAccount } from '@capture/database/accounts/accounts';
import type { Database } from '@capture/database/database';
import { newId } from '@capture/database/ids';
import { openDatabase } from '@capture/database/open-database';
import { createTestDatabase, type TestDatabase } from '@capture/testing/database';
import { makeTestFolder } from '@capture/testing/test-run';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runOps } from '../run-ops.test-support.ts';

const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);
const toDate = (at: Date) => at.toISOString().slice(0, 10);

let target: TestDatabase;
let database: Database;
let folder: string;
const accountId = newId('acc');

beforeAll(async () => {
  target = await createTestDatabase();
  database = openDatabase({ url: target.url });
  const account = { id: accountId, email: 'ada@example.com', signingSecret: 'x', createdAt: new Date() };
  await createAccount(database, account);
  for (const days of [100, 82, 60]) await insert(daysAgo(days));
  await insert(daysAgo(82), {});
});

afterAll(async () => {
  await database.close();
  await target.drop();
});

beforeEach(() => {
  folder = path.join(makeTestFolder('exports'), 'new');
});

const shownOptions = { url: 'https://a.test/"\\', headers: { 'X-Key': '***' } };
const privateOptions = { '*sealed': 'v1.encrypted', '*html': 'html/aa/key' };

/** Inserts a capture with its event, delivery and attempt, all of one moment. */
async function insert(at: Date, hidden: object = privateOptions): Promise<void> {
  const [capture, event, delivery] = [newId('req', at), newId('evt', at), newId('dlv', at)];
  const options = { ...shownOptions, ...hidden };
  const outputs = [
    { name: 'words', kind: 'markdown', format: 'markdown', size: 6, key: 'storage/key.output-2.markdown' },
    { name: 'phone', kind: 'screenshot', format: 'png', size: 9, key: 'storage/key.output-3.png', width: 3, height: 2 },
  ];
  await database.pool.query(
    `INSERT INTO capture (id, account_id, type, status, url, options, month, created_at, storage_key, fingerprint, outputs)
     VALUES ($1, $2, 'pdf', 'completed', E'https://a.test/"\\\\\\n\\u20ac', $3, '2026-11', $4, 'storage/key', 'hash', $5)`,
    [capture, accountId, options, at, JSON.stringify(outputs)],
  );
  await database.pool.query(
    `INSERT INTO event (id, account_id, name, capture_id, body, created_at)
     VALUES ($1, $2, 'capture.completed', $3, '{"file_url":"https://a.test/signed-link"}', $4)`,
    [event, accountId, capture, at],
  );
  await database.pool.query(
    `INSERT INTO delivery (id, event_id, account_id, url, status, attempt_count, created_at, completed_at)
     VALUES ($1, $2, $3, 'https://hooks.test/', 'delivered', 1, $4, $4)`,
    [delivery, event, accountId, at],
  );
  await database.pool.query(
    `INSERT INTO delivery_attempt (delivery_id, number, trigger, started_at, duration_ms, status)
     VALUES ($1, 1, 'schedule', $2, 5, 200)`,
    [delivery, at],
  );
}

const run = (...args: string[]) => runOps(args, { DATABASE_URL: target.url });
const linesOf = (name: string) =>
  readFileSync(path.join(folder, name), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

describe('an export', () => {
  it('contains the days that the retention removes before the next weekly run, one file each', async () => {
    const { code, output } = await run('--json', 'export', folder);
    expect(code).toBe(0);
    expect(JSON.parse(output)).toEqual({ records: { captures: 3, batches: 0, deliveries: 4, attempts: 4 } });
    const days = [100, 82].map((days) => toDate(daysAgo(days)));
    const captures = readdirSync(folder).filter((name) => name.startsWith('captures'));
    expect(captures.sort()).toEqual(days.map((day) => `captures-${day}.jsonl`));
    expect(linesOf(`captures-${days[1]}.jsonl`)).toMatchObject([
      {
        record: 'captures',
        account_id: accountId,
        url: 'https://a.test/"\\\n€',
        outputs: [
          { name: 'words', kind: 'markdown', format: 'markdown', size: 6 },
          { name: 'phone', kind: 'screenshot', format: 'png', size: 9, width: 3, height: 2 },
        ],
      },
      { status: 'completed' },
    ]);
    for (const { options } of linesOf(`captures-${days[1]}.jsonl`)) expect(options).toEqual(shownOptions);
    expect(linesOf(`deliveries-${days[0]}.jsonl`)).toMatchObject([
      { event: 'capture.completed', capture_id: expect.stringMatching(/^req_/), status: 'delivered' },
    ]);
    expect(linesOf(`attempts-${days[0]}.jsonl`)).toMatchObject([{ number: 1, status: 200 }]);
  });

  it('contains no secrets', async () => {
    await run('export', folder);
    const all = readdirSync(folder)
      .map((name) => readFileSync(path.join(folder, name), 'utf8'))
      .join('');
    for (const secret of ['encrypted', 'html/aa', 'storage/key', 'signed-link', 'fingerprint', 'body']) {
      expect(all).not.toContain(secret);
    }
  });

  it('is resumed: complete files stay, an incomplete one is written again', async () => {
    await run('export', folder);
    const [first, second] = [100, 82].map((days) => path.join(folder, `captures-${toDate(daysAgo(days))}.jsonl`));
    writeFileSync(first as string, 'kept\n');
    rmSync(second as string);
    writeFileSync(`${second}.part`, '{"record":');
    const { output } = await run('--json', 'export', folder, '--only', 'captures');
    expect(JSON.parse(output)).toEqual({ records: { captures: 2 } });
    expect(readFileSync(first as string, 'utf8')).toBe('kept\n');
    expect(linesOf(path.basename(second as string))).toHaveLength(2);
    expect(existsSync(`${second}.part`)).toBe(false);
  });

  it('of a time range goes to the standard output', async () => {
    const since = daysAgo(90).toISOString();
    const { code, output } = await run('export', '-', '--since', since, '--only', 'captures');
    expect(code).toBe(0);
    expect(
      output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).record),
    ).toEqual(Array(3).fill('captures'));
  });

  it('into a folder contains whole days, and reports the day that it leaves out', async () => {
    await insert(new Date());
    const today = toDate(new Date());
    const { code, output } = await run('export', folder, '--since', '61d', '--only', 'captures');
    expect(code).toBe(0);
    expect(output).toContain(`${today} is left out: a file has a whole day (UTC). A later export adds it.`);
    expect(readdirSync(folder)).toEqual([`captures-${toDate(daysAgo(60))}.jsonl`]);
    expect((await run('export', folder)).output).not.toContain('is left out');
  });

  it('that ends before it begins is refused', async () => {
    expect(await run('export', folder, '--since', '1d', '--until', '2d')).toMatchObject({ code: 2 });
  });
});
