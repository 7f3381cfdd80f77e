import type { firstIdAt } from '../ids.ts';

/** A table with a partition for each week, by the time in the ids of its key. */
export interface PartitionedTable {
  name: 'capture' | 'batch' | 'event' | 'delivery' | 'delivery_attempt';
  key: string;
  prefix: Parameters<typeof firstIdAt>[0];
  /** Columns of unique indexes that each partition has for itself, as they do not contain the key. */
  uniqueInPartition: readonly (readonly string[])[];
}

/**
 * The tables that grow with every capture. A capture ends once, and a batch reaches each count once, whatever the indexes
 * say (`endCapture`, `recordBatchProgress`): that an event is unique across partitions follows from this. The indexes of each
 * partition refuse what a mistake would insert twice within a week.
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
