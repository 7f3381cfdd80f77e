import type pg from 'pg';
import { transaction } from '../database.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';

/**
 * Puts away a claimed delivery whose endpoint is not active any more: it was under way when the endpoint was paused, and
 * its dispatcher was lost. It waits with the endpoint's other deliveries, or ends with them if the endpoint is gone.
 *
 * @returns whether that was the case.
 */
export async function holdDelivery(pool: pg.Pool, claim: ClaimedDelivery, at: Date): Promise<boolean> {
  return transaction(pool, async (connection) => {
    const { rows } = await connection.query(
      `SELECT w.status FROM delivery d JOIN webhook_endpoint w ON w.id = d.webhook_id WHERE d.id = $1 FOR SHARE OF w`,
      [claim.id],
    );
    if (rows[0]?.status === 'active') return false;
    const { rowCount } = await connection.query(
      `UPDATE delivery
          SET status = $3, lease_until = NULL, next_attempt_at = NULL,
              last_error = CASE WHEN $3 = 'failed' THEN 'endpoint_deleted' ELSE last_error END,
              completed_at = CASE WHEN $3 = 'failed' THEN $4::timestamptz END
        WHERE id = $1 AND attempt = $2 AND begun_attempt < attempt AND status = 'pending' AND webhook_id IS NOT NULL`,
      [claim.id, claim.attempt, rows[0] ? 'paused' : 'failed', at],
    );
    return rowCount === 1;
  });
}
