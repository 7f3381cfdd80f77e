import type { Queryable } from '../database.ts';
import { underWay } from './in-progress.ts';

/**
 * Holds back the open deliveries of an endpoint, in the transaction that took it out of use before. An attempt that is
 * under way is left to who records its outcome.
 */
export async function pauseDeliveries(connection: Queryable, webhookId: string, at: Date): Promise<void> {
  await connection.query(
    `UPDATE delivery d SET status = 'paused', lease_until = NULL, next_attempt_at = NULL
      WHERE d.webhook_id = $1 AND d.status = 'pending' AND NOT ${underWay('$2')}`,
    [webhookId, at],
  );
}
