import { waitUntil } from '@capture/testing/wait-until';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { newAccount, reserve, useTestDatabase, whileLocked } from '../captures/captures.test-support.ts';
import { openSqlDatabase } from '../database.ts';
import { insertDelivery } from '../deliveries/deliveries.test-support.ts';
import { insertEvent } from '../deliveries/insert-event.ts';
import { firstIdAt, newId } from '../ids.ts';
import { createPartitions, startOfWeek } from './create-partitions.ts';
import { partitionedTable, partitionedTables } from './partitioned-tables.ts';
import { readPartitions } from './read-partitions.ts';

const database = await useTestDatabase();
const { pool } = database;
const day = 86_400_000;
/** A time beyond the first partition, which ends within three weeks. */
const later = new Date(startOfWeek(new Date()).getTime() + 70 * day);
const weekLater = (weeks: number) => new Date(later.getTime() + weeks * 7 * day);
let accountId: string;

beforeEach(async () => {
  accountId = (await newAccount(database)).id;
});

const partitionOf = async (table: string, id: string) =>
  (await pool.query(`SELECT tableoid::regclass::text AS partition FROM ${table} WHERE id = $1`, [id])).rows[0]
    .partition;

it('begins a week on Monday, 00:00 UTC', () => {
  expect(startOfWeek(new Date('2026-11-22T23:59:59.999Z'))).toEqual(new Date('2026-11-16T00:00:00.000Z'));
  expect(startOfWeek(new Date('2026-11-23T00:00:00.000Z'))).toEqual(new Date('2026-11-23T00:00:00.000Z'));
});

it('needs no partition while the first one has two weeks ahead', async () => {
  expect(await createPartitions(pool, new Date())).toBe(0);
  for (const table of partitionedTables) expect((await readPartitions(pool, table))[0]?.from).toBeNull();
});

describe('later', () => {
  it('puts a row of a week without a partition into the default partition, and leaves that week there', async () => {
    const id = await reserve(pool, accountId, { id: newId('req', weekLater(1)) });
    expect(await partitionOf('capture', id)).toBe('capture_default');
    // The first table gets the weeks before and after the existing partition, and each other table gets three weeks.
    expect(await createPartitions(pool, later)).toBe(2 + 3 * (partitionedTables.length - 1));
    expect(await partitionOf('capture', id)).toBe('capture_default');
  });

  it('creates three weeks for each table, once, with the indexes of its table', async () => {
    expect(await createPartitions(pool, later)).toBe(0);
    for (const table of partitionedTables.filter(({ name }) => name !== 'capture')) {
      const created = (await readPartitions(pool, table)).slice(-3);
      expect(created.map(({ from, to }) => [from, to])).toEqual(
        [0, 1, 2].map((n) => [firstIdAt(table.prefix, weekLater(n)), firstIdAt(table.prefix, weekLater(n + 1))]),
      );
    }
    const { rows } = await pool.query(
      `SELECT c.relname AS name, count(*)::int AS indexes, bool_and(i.indisvalid) AS valid
         FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
        WHERE c.relname IN ('event_first', 'event_default', $1) GROUP BY 1`,
      [(await readPartitions(pool, partitionedTable('event'))).at(-1)?.name],
    );
    expect(new Set(rows.map(({ indexes, valid }) => `${indexes} ${valid}`))).toEqual(new Set(['4 true']));
  });

  it('puts rows into the partition of their week, where an event is inserted once', async () => {
    const id = await reserve(pool, accountId, { id: newId('req', later) });
    expect(await partitionOf('capture', id)).toBe(`capture_${later.toISOString().slice(0, 10).replaceAll('-', '')}`);
    const event = { name: 'capture.completed', body: Buffer.from('{}') } as const;
    const receiver = { webhookId: null, url: 'https://hooks.example.com/', paused: false };
    const insert = () => insertEvent(pool, accountId, [receiver], event, { captureId: id, at: later });
    expect(await insert()).toHaveLength(1);
    expect(await insert()).toHaveLength(0);
    expect((await pool.query('SELECT FROM event WHERE capture_id = $1', [id])).rowCount).toBe(1);
  });

  it('does not read the default partition, which may be large, while inserts wait for the new one', async () => {
    const since = weekLater(20);
    await reserve(pool, accountId, { id: newId('req', weekLater(30)) });
    await pool.query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET client_min_messages = debug1', current_database()); END $$`,
    );
    const notices: string[] = [];
    const other = openSqlDatabase({ url: database.url });
    other.pool.on('connect', (client) => client.on('notice', ({ message }) => notices.push(String(message))));
    expect(await createPartitions(other.pool, since)).toBe(3 * partitionedTables.length);
    await other.close();
    // Postgres checks the two weeks to come. The current week has no check, because its rows must not be refused.
    expect(notices.filter((text) => /default partition "capture_default" is implied/.test(text))).toHaveLength(2);
    const { rows } = await pool.query(`SELECT conname FROM pg_constraint WHERE conname LIKE '%default_2%check'`);
    expect(rows).toEqual([]);
  });

  it('creates the others if one cannot be created', async () => {
    const monday = weekLater(40).toISOString().slice(0, 10).replaceAll('-', '');
    await pool.query(`CREATE TABLE batch_${monday} ()`);
    await expect(createPartitions(pool, weekLater(40))).rejects.toThrow(`relation "batch_${monday}" already exists`);
    await pool.query(`DROP TABLE batch_${monday}`);
    expect(await createPartitions(pool, weekLater(40))).toBe(1);
  });

  it('reads one partition for an id', async () => {
    const { rows } = await pool.query(`EXPLAIN SELECT FROM capture WHERE id = '${newId('req', later)}'`);
    expect(rows.map((row) => row['QUERY PLAN']).join()).not.toMatch(/Append|first|default/);
  });

  it('waits for a lock in short tries, between which other statements run', async () => {
    // A transaction that has read all deliveries blocks the change.
    const { creating } = await whileLocked(database, ['SELECT FROM delivery'], async () => {
      const creating = createPartitions(pool, weekLater(10));
      await waitUntil(isWaiting, { what: 'the new partition to wait for its lock' });
      await insertDelivery(pool, accountId);
      expect((await pool.query('SELECT FROM delivery')).rowCount).toBeGreaterThan(0);
      return { creating };
    });
    expect(await creating).toBe(3 * partitionedTables.length);
  });
});

async function isWaiting(): Promise<boolean> {
  const { rows } = await pool.query(
    `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'ALTER TABLE%ATTACH%'`,
  );
  return rows.length > 0;
}
