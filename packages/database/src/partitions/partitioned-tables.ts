import type { firstIdAt } from '../ids.ts';

/** A table with a partition for each week, by the time in the ids of its key. */
export interface PartitionedTable {
  name: 'capture' | 'batch' | 'event' | 'delivery' | 'delivery_attempt';
  key: string;
  prefix: Parameters<typeof firstIdAt>[0];
  /** The columns of unique indexes that exist per partition, because they do not contain the key. */
  uniqueInPartition: readonly (readonly string[])[];
}

/**
 * The tables that grow with every capture. Events are unique across partitions because a capture ends once and a batch reaches
 * each count once (`endCapture`, `recordBatchProgress`). The unique indexes of each partition only catch a mistake in the code
 * that inserts an event twice within a week.
 */
export const partitionedTables: readonly PartitionedTable[] = [
  { name: 'capture', key: 'id', prefix: 'req', uniqueInPartition: [] },
  { name: 'batch', key: 'id', prefix: 'batch', uniqueInPartition: [] },
  {
    name: 'event',
    key: 'id',
    prefix: 'evt',
    uniqueInPartition: [
      ['capture_id', 'name'],
      ['batch_id', 'name', 'count'],
    ],
  },
  { name: 'delivery', key: 'id', prefix: 'dlv', uniqueInPartition: [] },
  { name: 'delivery_attempt', key: 'delivery_id', prefix: 'dlv', uniqueInPartition: [] },
];

export function partitionedTable(name: PartitionedTable['name']): PartitionedTable {
  return partitionedTables.find((table) => table.name === name) as PartitionedTable;
}
