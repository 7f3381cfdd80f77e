import pg from 'pg';
import type { Queryable } from '../database.ts';
import { firstIdAt } from '../ids.ts';
import { changeCatalog } from './change-catalog.ts';
import { type PartitionedTable, partitionedTables } from './partitioned-tables.ts';
import { readPartitions } from './read-partitions.ts';

const dayMs = 86_400_000;

const weekMs = 7 * dayMs;

/** The first Monday of the Unix epoch, as a distance from its beginning. */
const firstMondayMs = 4 * dayMs;

/** Weeks after the current one that have their partition already. Until then a job that fails is noticed (an alert). */
const weeksAhead = 2;

/** SQLSTATE: the default partition holds rows of the new one. */
const checkViolation = '23514';

/**
 * Creates the partitions of this week and the next ones. A statement without a range of ids asks every partition, so there
 * are few: a week keeps 90 days in 16.
 *
 * Rows of a week without a partition, because this did not run or a clock is wrong, go to the default partition: no insert
 * ever fails. That week then stays there until its rows are removed one by one.
 *
 * @returns how many were created.
 */
export async function createPartitions(pool: pg.Pool, at: Date): Promise<number> {
  let created = 0;
  for (const table of partitionedTables) {
    const partitions = await readPartitions(pool, table);
    for (let week = 0; week <= weeksAhead; week += 1) {
      const from = startOfWeek(new Date(at.getTime() + week * weekMs));
      const first = firstIdAt(table.prefix, from);
      if (partitions.some((partition) => (partition.from ?? '') <= first && first < partition.to)) continue;
      if (await createPartition(pool, table, from)) created += 1;
    }
  }
  return created;
}

/** Monday, 00:00 UTC. */
export function startOfWeek(at: Date): Date {
  return new Date(Math.floor((at.getTime() - firstMondayMs) / weekMs) * weekMs + firstMondayMs);
}

/**
 * Creates the partition of seven days.
 *
 * @returns false if the default partition already has rows of them.
 */
export async function createPartition(pool: pg.Pool, table: PartitionedTable, from: Date): Promise<boolean> {
  const parent = pg.escapeIdentifier(table.name);
  const name = pg.escapeIdentifier(`${table.name}_${from.toISOString().slice(0, 10).replaceAll('-', '')}`);
  const bounds = [from, new Date(from.getTime() + weekMs)].map((at) => pg.escapeLiteral(firstIdAt(table.prefix, at)));
  try {
    await changeCatalog(pool, async (connection) => {
      // Attached, not created as a partition: so it waits for statements that ask every partition, not for all.
      await connection.query(`CREATE TABLE ${name} (LIKE ${parent} INCLUDING ALL)`);
      await createUniqueIndexes(connection, table, name);
      await connection.query(
        `ALTER TABLE ${parent} ATTACH PARTITION ${name} FOR VALUES FROM (${bounds[0]}) TO (${bounds[1]})`,
      );
    });
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== checkViolation) throw error;
    return false;
  }
}

async function createUniqueIndexes(connection: Queryable, table: PartitionedTable, name: string): Promise<void> {
  for (const columns of table.uniqueInPartition) {
    await connection.query(`CREATE UNIQUE INDEX ON ${name} (${columns.map((column) => pg.escapeIdentifier(column))})`);
  }
}
