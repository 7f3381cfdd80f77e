import type pg from 'pg';
import type { Queryable } from '../database.ts';
import { firstIdAt, timeOfId } from '../ids.ts';
import { partitionedTable } from '../partitions/partitioned-tables.ts';
import type { Partition } from '../partitions/read-partitions.ts';
import { type PastRows, type Retention, removeOldRows } from './remove-old-rows.ts';

/**
 * Deletes past captures, then past batches. A capture is needed while it is open, while its batch is in progress, and until its
 * file has expired and was released (`releaseExpiredFiles`), however long files are kept. A batch is needed as long as one of its
 * items.
 *
 * Stored responses (kept for a day) and cached captures (each has a row for the shared file) do not refer to a deleted capture.
 *
 * @returns the approximate number of removed rows.
 */
export async function deleteOldCaptures(pool: pg.Pool, retention: Retention): Promise<number> {
  const captures = await removeOldRows(pool, partitionedTable('capture'), retention, pastCaptures);
  return captures + (await removeOldRows(pool, partitionedTable('batch'), retention, pastBatches));
}

/**
 * The ids of a batch's items may fall on both sides of the end of a week, although the items are inserted together. Captures that
 * begin this shortly after a partition therefore count as well, milliseconds. Inserting them takes a hundredth of this.
 */
const edgeMs = 60_000;

/** The first ids of captures at the end of a partition, and a minute later. */
function capturesAt({ to }: Partition): [end: string, edge: string] {
  const end = timeOfId(to);
  return [firstIdAt('req', end), firstIdAt('req', new Date(end.getTime() + edgeMs))];
}

const pastCaptures: PastRows = {
  async isNeeded(database: Queryable, partition: Partition): Promise<boolean> {
    // Each condition is the condition of a partial index. The sort makes the planner read an index whatever the statistics.
    const { rows } = await database.query(
      `SELECT EXISTS (SELECT FROM capture WHERE status = 'processing' AND id >= $1 AND id < $3) OR
              EXISTS (SELECT FROM capture WHERE status = 'queued' AND enqueued_at IS NULL AND id >= $1 AND id < $3) OR
              EXISTS (SELECT FROM capture WHERE status = 'queued' AND enqueued_at IS NOT NULL AND id >= $1 AND id < $3) OR
              EXISTS (SELECT FROM (SELECT expires_at FROM capture WHERE storage_key IS NOT NULL AND id >= $1 AND id < $2
                                    ORDER BY expires_at LIMIT 1) AS file) AS needed`,
      [partition.from ?? '', ...capturesAt(partition)],
    );
    return rows[0].needed;
  },
  slice: {
    removable: `r.status IN ('completed', 'failed', 'cancelled') AND r.storage_key IS NULL
            AND NOT EXISTS (SELECT FROM batch b WHERE b.id = r.batch_id AND b.status = 'processing')`,
    values: [],
  },
};

const pastBatches: PastRows = {
  async isNeeded(database: Queryable, partition: Partition): Promise<boolean> {
    const { rows } = await database.query(
      // The sort avoids reading up to the first row of a week that was emptied from its beginning.
      `SELECT EXISTS (SELECT FROM (SELECT id FROM capture WHERE id < $1 ORDER BY id LIMIT 1) AS earlier) OR
              EXISTS (SELECT FROM capture WHERE id >= $1 AND id < $2 AND batch_id < $3) AS needed`,
      [...capturesAt(partition), partition.to],
    );
    return rows[0].needed;
  },
  slice: {
    // The sort makes Postgres read one item of a batch, not all items.
    removable: `r.status <> 'processing'
            AND (SELECT c.id FROM capture c WHERE c.batch_id = r.id ORDER BY c.batch_index LIMIT 1) IS NULL`,
    values: [],
  },
};
