import { expect, it } from '@jest/globals';
import { newAccount, useTestDatabase } from '../captures/captures.test-support.ts';
import { newId } from '../ids.ts';
import { countUsage } from './count-usage.ts';

const database = await useTestDatabase();
const { pool } = database;
const at = new Date('2026-03-01T12:00:00Z');

async function insert(accountId: string, requestedAt: string, status: string, cached = false): Promise<void> {
  const createdAt = new Date(requestedAt);
  await pool.query(
    `INSERT INTO capture (id, account_id, type, status, url, options, month, cached, created_at)
     VALUES ($1, $2, 'screenshot', $3, 'https://example.com/', '{}', '2026-02', $4, $5)`,
    [newId('req', createdAt), accountId, status, cached, createdAt],
  );
}

it('counts the captures of each UTC day by outcome, oldest day first, empty days included', async () => {
  const { id } = await newAccount(database);
  const other = await newAccount(database);
  await insert(id, '2026-02-26T23:59:59.999Z', 'completed');
  await insert(id, '2026-02-27T00:00:00.000Z', 'completed');
  await insert(id, '2026-02-27T23:59:59.999Z', 'completed');
  await insert(id, '2026-02-27T12:00:00.000Z', 'completed', true);
  await insert(id, '2026-02-27T12:00:00.000Z', 'failed');
  for (const open of ['queued', 'processing', 'cancelled']) await insert(id, '2026-02-27T12:00:00.000Z', open);
  await insert(id, '2026-03-01T00:00:00.000Z', 'failed');
  await insert(other.id, '2026-02-28T12:00:00.000Z', 'completed');
  expect(await countUsage(pool, { accountId: id, days: 3, at })).toEqual([
    { date: '2026-02-27', completed: 2, failed: 1, cached: 1 },
    { date: '2026-02-28', completed: 0, failed: 0, cached: 0 },
    { date: '2026-03-01', completed: 0, failed: 1, cached: 0 },
  ]);
  const quarter = await countUsage(pool, { accountId: id, days: 90, at });
  expect([quarter.length, quarter[0]?.date, quarter.at(-4)?.completed]).toEqual([90, '2025-12-02', 1]);
});

it('reads only indexes, and only the account’s part of them', async () => {
  const [{ id }, other] = [await newAccount(database), await newAccount(database)];
  await pool.query(
    `INSERT INTO capture (id, account_id, type, status, url, options, month, cached, created_at)
     SELECT 'req_' || lpad(n::text, 26, '0'), CASE WHEN n % 2 = 0 THEN $1 ELSE $2 END, 'screenshot', 'completed',
            'https://example.com/', '{}', '2026-02', n % 10 < 2, now() FROM generate_series(1, 20000) n`,
    [id, other.id],
  );
  await pool.query('VACUUM ANALYZE capture');
  const plans: string[] = [];
  const explaining = {
    async query({ text, values }: { text: string; values: unknown[] }) {
      const { rows } = await pool.query(`EXPLAIN ${text}`, values);
      plans.push(...rows.map((row) => row['QUERY PLAN']));
      return { rows: [] };
    },
  };
  await countUsage(explaining as never, { accountId: id, days: 30, at });
  const plan = plans.join('\n');
  expect(plan.match(/Index Only Scan using \w+/g)).toEqual([
    'Index Only Scan using capture_first_account_id_status_id_idx',
    'Index Only Scan using capture_first_account_id_status_id_idx',
    'Index Only Scan using capture_first_cached_idx',
  ]);
});
