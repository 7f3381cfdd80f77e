import { batchResult } from '@capture/contract/events/events';
import type { ContractForm } from '@capture/contract/forms/forms';
import type { FileUrlOf } from '@capture/database/captures/batch-progress';
import type { StoredBatch, StoredItem } from '@capture/database/captures/find-batch';
import { fileUrl } from './capture-record.ts';

/** A batch in the API's format, without its results. */
export function batchRecord(batch: StoredBatch) {
  const { total, succeeded, failed, cancelled } = batch;
  return {
    batch_id: batch.id,
    status: batch.status,
    total,
    succeeded,
    failed,
    cancelled,
    pending: total - succeeded - failed - cancelled,
    created_at: batch.createdAt.toISOString(),
    completed_at: batch.completedAt?.toISOString() ?? null,
  };
}

/** An item in the format of its batch's results, as in `batch.completed`. */
export function itemResult(context: { form: ContractForm; fileUrlOf: FileUrlOf }, item: StoredItem) {
  return batchResult(context.form, {
    request_id: item.id,
    url: item.url,
    status: item.status,
    error_code: item.errorCode,
    file_url: fileUrl(item, context.fileUrlOf),
  });
}
