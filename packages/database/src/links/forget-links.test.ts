import { expect, it } from '@jest/globals';
import { newAccount, useTestDatabase } from '../captures/captures.test-support.ts';
import { forgetLinkBounds } from './link-bounds.ts';
import { forgetLinkRenders } from './link-renders.ts';

const database = await useTestDatabase();
const { pool } = database;

it('a run removes more marks and counts than fit into one statement, and keeps those that still count', async () => {
  const { id } = await newAccount(database);
  await pool.query(
    `INSERT INTO link_render (account_id, fingerprint, capture_id, started_at)
     SELECT $1, int4send(n), 'req_' || n, CASE WHEN n <= 2500 THEN now() - interval '2 days' ELSE now() END
       FROM generate_series(1, 2501) n`,
    [id],
  );
  await pool.query(
    `INSERT INTO link_bound (account_id, day, subject, renders)
     SELECT $1, (now() AT TIME ZONE 'UTC')::date - (n <= 2500)::int, 'link ' || n, 1 FROM generate_series(1, 2501) n`,
    [id],
  );
  await forgetLinkRenders(pool);
  await forgetLinkBounds(pool);
  expect((await pool.query('SELECT capture_id FROM link_render')).rows).toEqual([{ capture_id: 'req_2501' }]);
  expect((await pool.query('SELECT subject FROM link_bound')).rows).toEqual([{ subject: 'link 2501' }]);
});
