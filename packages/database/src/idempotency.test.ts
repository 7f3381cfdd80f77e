import { expect, it } from '@jest/globals';
import { newAccount, useTestDatabase } from './captures/captures.test-support.ts';
import { deleteExpiredResponses } from './idempotency.ts';

const database = await useTestDatabase();
const { pool } = database;

it('deletes all expired keys, however many, and no others', async () => {
  const { id: accountId } = await newAccount(database);
  await pool.query(
    `INSERT INTO idempotency (account_id, key, fingerprint, created_at)
     SELECT $1, 'key-' || n, '', now() - make_interval(hours => CASE WHEN n = 1 THEN 23 ELSE 25 END) FROM generate_series(1, 8) n`,
    [accountId],
  );
  expect(await deleteExpiredResponses(pool, 2)).toBe(7);
  expect((await pool.query('SELECT key FROM idempotency')).rows).toEqual([{ key: 'key-1' }]);
});
