import type { Queryable } from '../database.ts';

/**
 * Lets everything that is in the queue wait for its turn again, because Redis came back and may have lost its last
 * second or all. What it still has is not put in a second time: the ids are the same.
 *
 * @returns how many there are.
 */
export async function requeueCaptures(database: Queryable): Promise<number> {
  const { rowCount } = await database.query(
    `UPDATE capture SET enqueued_at = NULL WHERE status = 'queued' AND enqueued_at IS NOT NULL`,
  );
  return rowCount ?? 0;
}
