import { createTestDatabase } from '@capture/testing/database';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Database, inSnapshot, transaction } from './database.ts';
import { databaseNow } from './database-clock.ts';
import { newId, timeOfId } from './ids.ts';
import { isDatabaseUnavailable } from './is-unavailable.ts';
import { openDatabase } from './open-database.ts';

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (let close = closings.pop(); close; close = closings.pop()) await close();
});

async function open(onIdleError?: (error: Error) => void): Promise<Database> {
  const test = await createTestDatabase();
  closings.push(() => test.drop());
  const database = openDatabase({ url: test.url, connections: 3, ...(onIdleError && { onIdleError }) });
  closings.push(() => database.close());
  await database.pool.query('CREATE TABLE thing (id int PRIMARY KEY)');
  return database;
}

const things = async ({ pool }: Database) =>
  (await pool.query('SELECT id FROM thing ORDER BY id')).rows.map(({ id }) => id);

/** Terminates the other connections of the pool, as a crash of Postgres does. */
const breakConnections = ({ pool }: Database) =>
  pool.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );

describe('a transaction', () => {
  it('commits all statements and returns the result of the work', async () => {
    const database = await open();
    const result = await transaction(database.pool, async (connection) => {
      await connection.query('INSERT INTO thing VALUES (1)');
      await connection.query('INSERT INTO thing VALUES (2)');
      expect(await things(database)).toEqual([]);
      return 'done';
    });
    expect(result).toBe('done');
    expect(await things(database)).toEqual([1, 2]);
  });

  it('that fails is rolled back, and its connection is reused', async () => {
    const database = await open();
    for (let round = 0; round < 10; round++) {
      const failing = transaction(database.pool, async (connection) => {
        await connection.query('INSERT INTO thing VALUES (1)');
        if (round % 2) throw new Error('no');
        await connection.query('INSERT INTO thing VALUES (1)');
      });
      await expect(failing).rejects.toThrow(round % 2 ? 'no' : 'thing_pkey');
    }
    expect(await things(database)).toEqual([]);
    expect(database.pool.totalCount).toBeLessThanOrEqual(3);
    expect(database.pool.idleCount).toBe(database.pool.totalCount);
  });

  it('whose connection breaks fails; the process and the pool go on', async () => {
    const database = await open();
    // The connections break once between two statements and once during a statement.
    for (const during of ['SELECT 1', 'SELECT pg_sleep(20)']) {
      const failing = transaction(database.pool, async (connection) => {
        await connection.query('INSERT INTO thing VALUES (1)');
        const statement = during === 'SELECT 1' ? null : connection.query(during);
        const gone = new Promise((resolve) => connection.once('end', resolve));
        await Promise.all([breakConnections(database), statement, gone]);
        await connection.query('SELECT 1');
      });
      await expect(failing).rejects.toThrow(/terminat|not queryable|closed/);
      expect(await things(database)).toEqual([]);
    }
  });
});

describe('a snapshot', () => {
  it('sees the same rows in each statement, and writes none', async () => {
    const database = await open();
    const counts = await inSnapshot(database.pool, async (connection) => {
      const count = async () => (await connection.query('SELECT FROM thing')).rowCount;
      const before = await count();
      await database.pool.query('INSERT INTO thing VALUES (1)');
      return [before, await count()];
    });
    expect(counts).toEqual([0, 0]);
    expect(await things(database)).toEqual([1]);
    const writing = inSnapshot(database.pool, (connection) => connection.query('INSERT INTO thing VALUES (2)'));
    await expect(writing).rejects.toThrow('read-only');
  });
});

describe('a pool', () => {
  it('reports an idle connection that broke and opens another', async () => {
    const errors: Error[] = [];
    const database = await open((error) => errors.push(error));
    await Promise.all([1, 2].map(() => database.pool.query('SELECT pg_sleep(0.05)')));
    await breakConnections(database);
    await waitUntil(() => errors.length > 0, { what: 'the broken connection to be reported' });
    expect(await things(database)).toEqual([]);
  });

  it('is shared with Prisma, whose queries and transactions survive a broken connection', async () => {
    const database = await open();
    expect(await database.prisma.account.count()).toBe(0);
    await Promise.all([1, 2].map(() => database.pool.query('SELECT pg_sleep(0.05)')));
    await breakConnections(database);
    await waitUntil(async () => (await database.prisma.account.count()) === 0, { what: 'Prisma to recover' });
    await database.prisma.$transaction([database.prisma.account.count(), database.prisma.usage.count()]);
    expect(database.pool.totalCount).toBeLessThanOrEqual(3);
  });

  it('has limits on the server for statements, locks and idle transactions, also through Prisma', async () => {
    const { pool, prisma } = await open();
    const limits = `SELECT name, setting::int AS ms FROM pg_settings
                     WHERE name ~ '^(statement|lock|idle_in_transaction_session|tcp_user)_timeout$' ORDER BY name`;
    const expected = [
      { name: 'idle_in_transaction_session_timeout', ms: 5_000 },
      { name: 'lock_timeout', ms: 10_000 },
      { name: 'statement_timeout', ms: 15_000 },
      { name: 'tcp_user_timeout', ms: 7_000 },
    ];
    expect((await pool.query(limits)).rows).toEqual(expected);
    expect(await prisma.$queryRawUnsafe(limits)).toEqual(expected);
  });

  it('does not compile statements, which would take longer than running them', async () => {
    const { pool } = await open();
    expect((await pool.query('SHOW jit')).rows).toEqual([{ jit: 'off' }]);
  });

  it('survives that the server closes a transaction in which the process did nothing, and reports it as unavailable', async () => {
    const database = await open();
    const idle = transaction(database.pool, async (connection) => {
      await connection.query('SET LOCAL idle_in_transaction_session_timeout = 50; INSERT INTO thing VALUES (1)');
      await new Promise((resolve) => connection.once('error', resolve));
      await connection.query('INSERT INTO thing VALUES (2)');
    });
    expect(isDatabaseUnavailable(await idle.catch((error: unknown) => error))).toBe(true);
    expect(await things(database)).toEqual([]);
  });
});

describe('an id', () => {
  it('is a prefix and a unique text, sortable by time', async () => {
    const ids = Array.from({ length: 1_000 }, () => newId('req'));
    expect(new Set(ids).size).toBe(1_000);
    for (const id of ids) expect(id).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
    const earlier = newId('evt');
    // The clock of ids begins its milliseconds at other moments than `Date.now`.
    await waitUntil(() => databaseNow() > timeOfId(earlier), { what: 'the next millisecond' });
    expect(newId('evt') > earlier).toBe(true);
  });

  it('cannot be guessed from another id of the same millisecond', () => {
    const random = Array.from({ length: 100 }, () => newId('req').slice(14));
    expect(new Set(random.map((text) => text.slice(0, 6))).size).toBeGreaterThan(90);
  });
});
