import pg from 'pg';
import type { Queryable } from '../database.ts';
import { firstIdAt } from '../ids.ts';
import { inSlices } from '../in-slices.ts';
import { dropPartition } from '../partitions/drop-partition.ts';
import type { PartitionedTable } from '../partitions/partitioned-tables.ts';
import { type Partition, readPartitions } from '../partitions/read-partitions.ts';

const dayMs = 86_400_000;

/** The rows that one statement deletes. It takes a fraction of a second, so other transactions hardly wait. */
const sliceSize = 1_000;

/** How long the rows of a table are kept. */
export interface Retention {
  at: Date;
  days: number;
  /** Asked before each further slice; a later run removes the rest. */
  goOn?: () => boolean;
}

/** The end of the retention: rows created earlier are past. */
export const pastBefore = ({ at, days }: Retention) => new Date(at.getTime() - days * dayMs);

/** Defines which past rows of a table are not needed. */
export interface PastRows {
  /** Whether a partition of past rows contains a needed row. Reads from indexes. */
  isNeeded(database: Queryable, partition: Partition): Promise<boolean>;
  /** Repeats the check under the locks for the conditions that may have changed; by default for all conditions. */
  isNeededNow?(database: Queryable, partition: Partition): Promise<boolean>;
  /** The deletion in slices, for partitions that cannot be dropped. Undefined if they go with another table's rows. */
  slice?: {
    /** SQL: whether a row `r` is not needed. */
    removable: string;
    /** The parameters of `removable`, from $4 on. */
    values: unknown[];
    /** SQL that deletes further rows with the rows of `gone`, as further CTEs. */
    also?: { columns: string; ctes: string };
  };
}

/**
 * Removes the past rows of a table. Drops a partition if all its rows are past and none is needed. Deletes rows in slices from a
 * partition with a needed row, and from the first and the default partition, which have no beginning. Rows are therefore kept for
 * up to a week longer than the retention, and no needed row is ever removed.
 *
 * @returns the approximate number of removed rows.
 */
export async function removeOldRows(
  pool: pg.Pool,
  table: PartitionedTable,
  retention: Retention,
  rows: PastRows,
): Promise<number> {
  const { goOn = () => true } = retention;
  const past = firstIdAt(table.prefix, pastBefore(retention));
  const isNeededNow = rows.isNeededNow ?? rows.isNeeded;
  let removed = 0;
  for (const partition of await readPartitions(pool, table)) {
    if (!goOn()) return removed;
    if (partition.to <= past && !(await rows.isNeeded(pool, partition))) {
      const dropped = await dropPartition(pool, table, partition, (connection) => isNeededNow(connection, partition));
      removed += dropped ?? 0;
      if (dropped !== null) continue;
    }
    if (partition.to <= past || partition.from === null) {
      removed += await deleteInSlices(pool, partition.name, past, rows, goOn);
    }
  }
  return removed + (await deleteInSlices(pool, `${table.name}_default`, past, rows, goOn));
}

/**
 * Visits each row once. The ids are passed as arrays, because for a join the planner would read a whole partition of up to about
 * 100,000 rows for each slice.
 *
 * @returns the number of deleted rows.
 */
async function deleteInSlices(
  pool: pg.Pool,
  partition: string,
  before: string,
  { slice }: PastRows,
  goOn: () => boolean,
): Promise<number> {
  if (!slice) return 0;
  const name = pg.escapeIdentifier(partition);
  const { columns, ctes } = slice.also ?? { columns: 'r.id', ctes: '' };
  let after = '';
  let removed = 0;
  await inSlices(
    sliceSize,
    async (size) => {
      const { rows } = await pool.query(
        `WITH seen AS MATERIALIZED (
           SELECT id FROM ${name} WHERE id > $1 AND id < $2 ORDER BY id LIMIT $3
         ), old AS MATERIALIZED (
           SELECT r.id FROM ${name} r WHERE r.id = ANY (ARRAY(SELECT id FROM seen)) AND ${slice.removable}
              FOR UPDATE OF r SKIP LOCKED
         ), gone AS (
           DELETE FROM ${name} r WHERE r.id = ANY (ARRAY(SELECT id FROM old)) RETURNING ${columns}
         )${ctes}
         SELECT (SELECT count(*)::int FROM seen) AS seen, (SELECT max(id) FROM seen) AS last,
                (SELECT count(*)::int FROM gone) AS removed`,
        [after, before, size, ...slice.values],
      );
      after = rows[0].last ?? after;
      removed += rows[0].removed;
      return rows[0].seen;
    },
    goOn,
  );
  return removed;
}
