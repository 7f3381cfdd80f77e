import type pg from 'pg';
import { transaction } from '../database.ts';
import { underWay } from '../deliveries/in-progress.ts';

/**
 * Deletes an endpoint; its open deliveries have failed with that. An attempt that is under way is left to who records its
 * outcome and finds no endpoint any more.
 *
 * @returns false if the account has no such endpoint.
 */
export async function deleteEndpoint(
  pool: pg.Pool,
  endpoint: { id: string; accountId: string },
  at: Date,
): Promise<boolean> {
  return transaction(pool, async (connection) => {
    // Waits for the events that are just being inserted for it, so that the next statement sees their deliveries.
    const { rowCount } = await connection.query('DELETE FROM webhook_endpoint WHERE id = $1 AND account_id = $2', [
      endpoint.id,
      endpoint.accountId,
    ]);
    if (rowCount === 0) return false;
    await connection.query(
      `UPDATE delivery d
          SET status = 'failed', last_error = 'endpoint_deleted', completed_at = $2, lease_until = NULL,
              next_attempt_at = NULL
        WHERE d.webhook_id = $1 AND d.status IN ('pending', 'paused') AND NOT ${underWay('$2')}`,
      [endpoint.id, at],
    );
    return true;
  });
}
