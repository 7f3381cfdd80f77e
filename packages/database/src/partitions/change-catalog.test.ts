import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { useTestDatabase } from '../captures/captures.test-support.ts';
import { changeCatalog } from './change-catalog.ts';

const { pool } = await useTestDatabase();

it('lets others go on after a second if the process stops while it holds its locks', async () => {
  const changing = changeCatalog(pool, async (connection) => {
    await connection.query('LOCK TABLE capture IN ACCESS EXCLUSIVE MODE');
    await sleep(4_000);
    await connection.query('SELECT 1');
  });
  const changed = expect(changing).rejects.toThrow();
  await sleep(200);
  const startedAt = performance.now();
  await pool.query('SELECT id FROM capture LIMIT 1');
  expect(performance.now() - startedAt).toBeLessThan(3_000);
  await changed;
});
