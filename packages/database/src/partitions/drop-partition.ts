import pg from 'pg';
import type { Queryable } from '../database.ts';
import { changeCatalog, lockTimeoutMs } from './change-catalog.ts';
import type { PartitionedTable } from './partitioned-tables.ts';
import type { Partition } from './read-partitions.ts';

/**
 * Drops a partition with all its rows if none of them is needed. Checks this again under the locks, which keep all other
 * transactions from the table for the milliseconds that this takes.
 *
 * @returns the approximate number of dropped rows; null if a row is needed.
 */
export async function dropPartition(
  pool: pg.Pool,
  table: Pick<PartitionedTable, 'name'>,
  partition: Partition,
  isNeeded: (connection: Queryable) => Promise<boolean>,
): Promise<number | null> {
  const name = pg.escapeIdentifier(partition.name);
  return changeCatalog(pool, async (connection) => {
    await endAutovacuum(connection, name);
    await connection.query(`LOCK TABLE ONLY ${pg.escapeIdentifier(table.name)} IN ACCESS EXCLUSIVE MODE`);
    await connection.query(`LOCK TABLE ${name} IN ACCESS EXCLUSIVE MODE`);
    if (await isNeeded(connection)) return null;
    const { rows } = await connection.query(
      'SELECT greatest(reltuples, 0)::float8 AS rows FROM pg_class WHERE oid = to_regclass($1)',
      [name],
    );
    await connection.query(`DROP TABLE ${name}`);
    return rows[0].rows;
  });
}

/** Longer than Postgres' default `deadlock_timeout` of a second, and shorter than the statement timeout of `changeCatalog`. */
const autovacuumGivesWayMs = 1_900;

/**
 * Ends autovacuum's work on the partition, which takes long after many rows were deleted. Autovacuum gives way only to a lock
 * that has waited for `deadlock_timeout`. Requests do not queue up behind this lock.
 */
async function endAutovacuum(connection: Queryable, name: string): Promise<void> {
  await connection.query(`SET LOCAL lock_timeout = ${autovacuumGivesWayMs}`);
  await connection.query(`LOCK TABLE ${name} IN SHARE UPDATE EXCLUSIVE MODE`);
  await connection.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
}
