import { startOwnPostgres } from '@capture/testing/database';
import { waitUntil } from '@capture/testing/wait-until';
import { expect, it } from '@jest/globals';
import { openSqlDatabase } from '../database.ts';
import { dropPartition } from './drop-partition.ts';

it('drops a partition that autovacuum is working on', async () => {
  // With these settings the vacuum would take a quarter of an hour.
  const server = await startOwnPostgres({
    fsync: 'off',
    autovacuum_naptime: '1s',
    autovacuum_vacuum_cost_limit: '1',
    autovacuum_vacuum_cost_delay: '100ms',
  });
  const { pool, close } = openSqlDatabase({ url: server.url });
  try {
    await pool.query(`CREATE TABLE delivery (id int, text text) PARTITION BY RANGE (id);
                      CREATE TABLE delivery_first PARTITION OF delivery FOR VALUES FROM (0) TO (100000);
                      INSERT INTO delivery SELECT n, repeat('x', 500) FROM generate_series(1, 50000) n;
                      DELETE FROM delivery`);
    const isVacuumed = async () => {
      const lock = `SELECT FROM pg_locks WHERE relation = 'delivery_first'::regclass AND mode = 'ShareUpdateExclusiveLock'`;
      return (await pool.query(lock)).rowCount === 1;
    };
    await waitUntil(isVacuumed, { what: 'autovacuum' });
    const partition = { name: 'delivery_first', from: null, to: '100000' };
    expect(await dropPartition(pool, { name: 'delivery' }, partition, async () => false)).not.toBeNull();
    expect((await pool.query(`SELECT to_regclass('delivery_first') AS found`)).rows[0].found).toBeNull();
  } finally {
    await close();
    await server.stop();
  }
});
