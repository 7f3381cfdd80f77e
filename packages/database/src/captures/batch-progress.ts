import { type BatchResult, batchCompleted, batchProgress } from '@capture/contract/events/events';
import type { ContractForm } from '@capture/contract/forms/forms';
import type { Queryable } from '../database.ts';
import { insertEvent, receiversOfEvent } from '../deliveries/insert-event.ts';
import type { ReceiverKey } from '../deliveries/receivers.ts';
import { listItems } from './find-batch.ts';
import type { FileUrlOf } from './stored-outputs.ts';

/** The event `batch.progress` is recorded each time this many more items have ended. The documentation states this number. */
const progressStep = 10;

export interface EndedItem {
  batchId: string;
  status: 'completed' | 'failed' | 'cancelled';
  at: Date;
}

/**
 * Counts an ended item in its batch and records the batch's events that are due. Runs in the transaction that ends the item, so
 * that a job that runs twice counts once. A cancelled batch still counts items but records no events.
 *
 * @returns the receivers that have a delivery due now (see `insertEvent`).
 */
export async function recordBatchProgress(
  connection: Queryable,
  context: { form: ContractForm; fileUrlOf: FileUrlOf },
  item: EndedItem,
): Promise<ReceiverKey[]> {
  const batch = await countItem(connection, item);
  if (batch.status === 'cancelled') return [];
  const counts = { total: batch.total, succeeded: batch.succeeded, failed: batch.failed };
  const processed = batch.succeeded + batch.failed;
  const due: ReceiverKey[] = [];
  if (item.status !== 'cancelled' && processed % progressStep === 0) {
    const receivers = await receiversOfEvent(connection, context.form, batch, 'batch.progress');
    const event = batchProgress(item.batchId, counts, item.at);
    due.push(...(await insertEvent(connection, batch.accountId, receivers, event, { ...item, count: processed })));
  }
  if (batch.status === 'completed') {
    const receivers = await receiversOfEvent(connection, context.form, batch, 'batch.completed');
    // The results are read only for receivers.
    if (receivers.length === 0) return due;
    const event = batchCompleted(
      context.form,
      item.batchId,
      counts,
      await readResults(connection, context, item, batch),
      item.at,
    );
    due.push(...(await insertEvent(connection, batch.accountId, receivers, event, item)));
  }
  return due;
}

async function readResults(
  connection: Queryable,
  { fileUrlOf }: { fileUrlOf: FileUrlOf },
  { batchId }: EndedItem,
  { total }: CountedBatch,
): Promise<BatchResult[]> {
  const items = await listItems(connection, { batchId, after: -1, limit: total });
  return items.map(({ id, url, status, errorCode, format, storageKey, expiresAt }) => ({
    request_id: id,
    url,
    status,
    error_code: errorCode,
    file_url: storageKey && format && expiresAt ? fileUrlOf({ captureId: id, format, expiresAt }) : null,
  }));
}

interface CountedBatch {
  accountId: string;
  webhookUrl: string | null;
  status: 'processing' | 'completed' | 'cancelled';
  total: number;
  succeeded: number;
  failed: number;
}

/** Adds the item to its batch's counters; the last item completes the batch. */
async function countItem(connection: Queryable, item: EndedItem): Promise<CountedBatch> {
  const { rows } = await connection.query<CountedBatch>({
    name: 'count-item',
    text: `UPDATE batch
              SET succeeded = succeeded + ($2 = 'completed')::int, failed = failed + ($2 = 'failed')::int,
                  cancelled = cancelled + ($2 = 'cancelled')::int,
                  status = CASE WHEN status = 'processing' AND succeeded + failed + cancelled + 1 = total
                                THEN 'completed' ELSE status END,
                  completed_at = CASE WHEN status = 'processing' AND succeeded + failed + cancelled + 1 = total
                                      THEN $3::timestamptz ELSE completed_at END
            WHERE id = $1
        RETURNING account_id AS "accountId", webhook_url AS "webhookUrl", status, total, succeeded, failed`,
    values: [item.batchId, item.status, item.at],
  });
  const [batch] = rows;
  if (!batch) throw new Error(`the batch ${item.batchId} of an item is missing`);
  return batch;
}
