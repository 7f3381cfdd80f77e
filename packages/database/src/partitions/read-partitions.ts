import type { Queryable } from '../database.ts';
import type { PartitionedTable } from './partitioned-tables.ts';

/** A partition that contains a range of ids. */
export interface Partition {
  name: string;
  /** The smallest id; null for the first partition, which begins with the oldest id. */
  from: string | null;
  /** The smallest id beyond the partition. */
  to: string;
}

/**
 * Reads the partitions of a table by time, without the default partition, which contains the rows of weeks without a partition.
 * The column's collation orders bounds and rows. Every collation orders the ids of one kind alike, because they have the same
 * length and consist of digits and lower-case letters.
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
