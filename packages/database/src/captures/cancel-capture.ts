import type pg from 'pg';
import { transaction } from '../database.ts';
import { makeReceiversDue } from '../deliveries/receivers.ts';
import { recordBatchProgress } from './batch-progress.ts';
import type { EventContext } from './end-capture.ts';
import { dropSecretOptions } from './secret-options.ts';

/**
 * Cancels a capture that no worker has taken yet and gives its unit of quota back; an item counts into its batch.
 *
 * @param also.processing whether one that is being rendered is cancelled too: its worker's outcome is refused then.
 * @returns false if it had gone on or ended; then nothing was changed.
 */
export async function cancelCapture(
  pool: pg.Pool,
  context: EventContext,
  captureId: string,
  at: Date,
  also: { processing: boolean } = { processing: false },
): Promise<boolean> {
  return transaction(pool, async (connection) => {
    const { rows } = await connection.query(
      `UPDATE capture SET status = 'cancelled', completed_at = $2, worker_id = NULL, lease_until = NULL,
              ${dropSecretOptions}
        WHERE id = $1 AND (status = 'queued' OR ($3 AND status = 'processing'))
        RETURNING account_id, batch_id, month`,
      [captureId, at, also.processing],
    );
    const [capture] = rows;
    if (!capture) return false;
    // The last open item: with it the batch is completed, and that is told.
    const due =
      capture.batch_id === null
        ? []
        : await recordBatchProgress(connection, context, { batchId: capture.batch_id, status: 'cancelled', at });
    await connection.query('UPDATE usage SET reserved = reserved - 1 WHERE account_id = $1 AND month = $2', [
      capture.account_id,
      capture.month,
    ]);
    await makeReceiversDue(connection, due, at);
    return true;
  });
}
