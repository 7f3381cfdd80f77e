import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, startOwnPostgres } from './database.ts';

async function query(url: string, text: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe('a test database', () => {
  it('is migrated and isolated', async () => {
    const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    await query(first.url, `CREATE TABLE mine (id int)`);
    const tables = `SELECT table_name FROM information_schema.tables WHERE table_name IN ('capture', 'mine') ORDER BY 1`;
    expect(await query(first.url, tables)).toEqual([{ table_name: 'capture' }, { table_name: 'mine' }]);
    expect(await query(second.url, tables)).toEqual([{ table_name: 'capture' }]);
    await first.drop();
    await expect(query(first.url, 'SELECT 1')).rejects.toThrow('does not exist');
    await second.drop();
  });

  it('is dropped even while a client is connected', async () => {
    const database = await createTestDatabase();
    const client = new pg.Client({ connectionString: database.url });
    const ended = new Promise((resolve) => client.on('error', resolve));
    await client.connect();
    await database.drop();
    expect(String(await ended)).toContain('terminat');
  });
});

it('restarts an own Postgres with its data at the same address after a kill', async () => {
  const own = await startOwnPostgres();
  await query(own.url, 'CREATE TABLE kept AS SELECT 1 AS id');
  const before = own.pid;
  own.kill();
  await own.exited;
  await expect(query(own.url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
  await own.restart();
  expect(own.pid).not.toBe(before);
  expect(await query(own.url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
  await own.stop();
});
