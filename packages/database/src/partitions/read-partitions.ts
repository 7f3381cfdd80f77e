import type { Queryable } from '../database.ts';
import type { PartitionedTable } from './partitioned-tables.ts';

/** A partition that holds a range of ids. */
export interface Partition {
  name: string;
  /** The smallest id; null for the first partition, which begins with the oldest. */
  from: string | null;
  /** The smallest id beyond it. */
  to: string;
}

/**
 * The partitions of a table by time, without the default one, which holds the rows of weeks without a partition. Bounds and
 * rows compare by the collation of the column: ids of one kind have one length, digits and lower-case letters, so that every
 * collation sorts them alike.
 */
export async function readPartitions(
  database: Queryable,
  { name }: Pick<PartitionedTable, 'name'>,
): Promise<Partition[]> {
  const { rows } = await database.query<{ name: string; bound: string }>(
    `SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bound
       FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = to_regclass($1)`,
    [name],
  );
  const partitions = rows.flatMap(({ name: partition, bound }) => {
    const [, from, to] = /^FOR VALUES FROM \((?:MINVALUE|'(\w+)')\) TO \('(\w+)'\)$/.exec(bound) ?? [];
    return to === undefined ? [] : [{ name: partition, from: from ?? null, to }];
  });
  return partitions.sort((a, b) => (a.to < b.to ? -1 : 1));
}
