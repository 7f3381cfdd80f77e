import type pg from 'pg';
import { transaction } from '../database.ts';
import { makeReceiversDue } from '../deliveries/receivers.ts';
import { recordBatchProgress } from './batch-progress.ts';
import type { EventContext } from './end-capture.ts';
import { dropPrivateOptions } from './stored-options.ts';

/**
 * Cancels a capture that no worker has claimed and returns its unit of quota. An item is also counted in its batch.
 *
 * @param options.processing whether to also cancel a capture that a worker is rendering; the worker's outcome is then refused.
 * @returns false if the capture was claimed or has ended; the call then changed nothing.
 */
export async function cancelCapture(
  pool: pg.Pool,
  context: EventContext,
  captureId: string,
  options: { processing: boolean } = { processing: false },
): Promise<boolean> {
  return transaction(pool, async (connection) => {
    const { rows } = await connection.query(
      `UPDATE capture SET status = 'cancelled', completed_at = now(), worker_id = NULL, lease_until = NULL,
              ${dropPrivateOptions}
        WHERE id = $1 AND (status = 'queued' OR ($2 AND status = 'processing'))
        RETURNING account_id, batch_id, month, completed_at AS at`,
      [captureId, options.processing],
    );
    const [capture] = rows;
    if (!capture) return false;
    // The last open item completes the batch, which records an event.
    const due =
      capture.batch_id === null
        ? []
        : await recordBatchProgress(connection, context, {
            batchId: capture.batch_id,
            status: 'cancelled',
            at: capture.at,
          });
    await connection.query('UPDATE usage SET reserved = reserved - 1 WHERE account_id = $1 AND month = $2', [
      capture.account_id,
      capture.month,
    ]);
    await makeReceiversDue(connection, due, null);
    return true;
  });
}
