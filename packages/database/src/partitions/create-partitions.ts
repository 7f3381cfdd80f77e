import pg from 'pg';
import { type Queryable, transaction } from '../database.ts';
import { firstIdAt } from '../ids.ts';
import { changeCatalog } from './change-catalog.ts';
import { type PartitionedTable, partitionedTables } from './partitioned-tables.ts';
import { readPartitions } from './read-partitions.ts';

const dayMs = 86_400_000;

const weekMs = 7 * dayMs;

/** The first Monday of the Unix epoch, milliseconds. */
const firstMondayMs = 4 * dayMs;

/** The weeks after the current week that already have a partition. An alert reports a failing job within this time. */
const weeksAhead = 2;

/** How long Postgres may read the default partition, milliseconds. A gigabyte takes seconds. */
const validateMs = 600_000;

/** SQLSTATE: the default partition contains rows of the new partition. */
const checkViolation = '23514';

/**
 * Creates the partitions of this week and the next weeks. A statement without a range of ids reads every partition, so there are
 * few: 90 days are 16 partitions of a week.
 *
 * Rows of a week without a partition, because this job did not run or a clock is wrong, go to the default partition, so that no
 * insert fails. That week stays there until its rows are removed one by one.
 *
 * @returns the number of created partitions.
 * @throws the first error, after trying the other partitions.
 */
export async function createPartitions(pool: pg.Pool, at: Date): Promise<number> {
  let created = 0;
  const errors: unknown[] = [];
  for (const table of partitionedTables) {
    const partitions = await readPartitions(pool, table);
    for (let week = 0; week <= weeksAhead; week += 1) {
      const from = startOfWeek(new Date(at.getTime() + week * weekMs));
      const first = firstIdAt(table.prefix, from);
      if (partitions.some((partition) => (partition.from ?? '') <= first && first < partition.to)) continue;
      await createPartition(pool, table, from, at).then(
        (isCreated) => {
          if (isCreated) created += 1;
        },
        (error) => errors.push(error),
      );
    }
  }
  if (errors.length > 0) throw errors[0];
  return created;
}

/** The Monday of a time's week, 00:00 UTC. */
export function startOfWeek(at: Date): Date {
  return new Date(Math.floor((at.getTime() - firstMondayMs) / weekMs) * weekMs + firstMondayMs);
}

/**
 * Creates the partition of seven days.
 *
 * @param at the current time.
 * @returns false if the default partition already contains rows of these days.
 */
export async function createPartition(
  pool: pg.Pool,
  table: PartitionedTable,
  from: Date,
  at: Date = from,
): Promise<boolean> {
  const parent = pg.escapeIdentifier(table.name);
  const week = from.toISOString().slice(0, 10).replaceAll('-', '');
  const name = pg.escapeIdentifier(`${table.name}_${week}`);
  const bounds = [from, new Date(from.getTime() + weekMs)].map((day) => firstIdAt(table.prefix, day));
  const [first, end] = bounds.map(pg.escapeLiteral);
  const rest = pg.escapeIdentifier(`${table.name}_default`);
  const key = pg.escapeIdentifier(table.key);
  // The sort makes Postgres read a single row from the index.
  const hasRow = async (condition: string) =>
    (await pool.query(`SELECT FROM ${rest} WHERE ${condition} ORDER BY ${key} LIMIT 1`)).rowCount === 1;
  const check = { rest, name: `${table.name}_default_${week}_check` };
  await removeCheck(pool, check);
  if (await hasRow(`${key} >= ${first} AND ${key} < ${end}`)) return false;
  try {
    // Rows of the current week are inserted all the time, and none may be refused.
    if (from > at && (await hasRow('true'))) await validate(pool, check, `${key} < ${first} OR ${key} >= ${end}`);
    await changeCatalog(pool, async (connection) => {
      // The partition is attached, not created as a partition, so that it waits only for statements that read every partition.
      await connection.query(`CREATE TABLE ${name} (LIKE ${parent} INCLUDING ALL)`);
      await createUniqueIndexes(connection, table, name);
      await connection.query(`ALTER TABLE ${parent} ATTACH PARTITION ${name} FOR VALUES FROM (${first}) TO (${end})`);
    });
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== checkViolation) throw error;
    return false;
  } finally {
    await removeCheck(pool, check);
  }
}

/** A check constraint of the default partition, `rest`. It exists only while a partition is created. */
interface Check {
  rest: string;
  name: string;
}

async function removeCheck(pool: pg.Pool, { rest, name }: Check): Promise<void> {
  const { rowCount } = await pool.query('SELECT FROM pg_constraint WHERE conname = $1', [name]);
  if (rowCount === 0) return;
  await changeCatalog(pool, (connection) =>
    connection.query(`ALTER TABLE ${rest} DROP CONSTRAINT IF EXISTS ${pg.escapeIdentifier(name)}`),
  );
}

/**
 * Makes sure, with a check constraint, that the default partition has no row of a future week. Without the constraint `ATTACH
 * PARTITION` would read the whole default partition while all inserts wait, and fail if it is large. Rows can be inserted
 * meanwhile.
 *
 * If the process dies before it removes the constraint, the next run removes it, long before the week begins.
 */
async function validate(pool: pg.Pool, { rest, name }: Check, condition: string): Promise<void> {
  const check = pg.escapeIdentifier(name);
  await changeCatalog(pool, (connection) =>
    connection.query(`ALTER TABLE ${rest} ADD CONSTRAINT ${check} CHECK (${condition}) NOT VALID`),
  );
  const text = `ALTER TABLE ${rest} VALIDATE CONSTRAINT ${check}`;
  await transaction(
    pool,
    // `pg` reads the limit of the client only from the query, not from the connection.
    (connection) => connection.query({ text, query_timeout: validateMs } as pg.QueryConfig),
    `SET LOCAL statement_timeout = ${validateMs}`,
  );
}

async function createUniqueIndexes(connection: Queryable, table: PartitionedTable, name: string): Promise<void> {
  for (const columns of table.uniqueInPartition) {
    await connection.query(`CREATE UNIQUE INDEX ON ${name} (${columns.map((column) => pg.escapeIdentifier(column))})`);
  }
}
