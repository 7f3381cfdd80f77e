import type { Queryable } from '../database.ts';

/**
 * Puts a capture back into the queue because its worker stops in order; no worker counts as lost. It
 * waits for its turn again.
 *
 * @returns false if it was not this attempt's any more.
 */
export async function releaseCapture(database: Queryable, capture: { id: string; attempt: number }): Promise<boolean> {
  const { rowCount } = await database.query(
    `UPDATE capture SET status = 'queued', worker_id = NULL, lease_until = NULL, started_at = NULL, enqueued_at = NULL
      WHERE id = $1 AND status = 'processing' AND attempt = $2`,
    [capture.id, capture.attempt],
  );
  return rowCount === 1;
}
