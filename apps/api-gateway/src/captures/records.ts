import type { CaptureRecord } from '@capture/contract/api/responses';
import { batchResult } from '@capture/contract/events/events';
import type { ContractForm } from '@capture/contract/forms/forms';
import type { StoredReceipt } from '@capture/database/captures/end-capture';
import type { StoredBatch, StoredItem } from '@capture/database/captures/find-batch';
import type { StoredCapture } from '@capture/database/captures/find-capture';
import { visibleOptions } from '@capture/database/captures/stored-options';
import type { FileUrlOf } from '@capture/database/captures/stored-outputs';
import { completedOutputs } from '@capture/database/captures/stored-outputs';

/** A capture in the API's format. */
export function captureRecord(capture: StoredCapture, fileUrlOf: FileUrlOf): CaptureRecord {
  return {
    request_id: capture.id,
    status: capture.status,
    url: capture.url,
    type: capture.type,
    format: capture.format,
    width: capture.width,
    height: capture.height,
    file_size: capture.fileSize,
    duration_ms: capture.durationMs,
    file_url: fileUrl(capture, fileUrlOf),
    expires_at: capture.expiresAt?.toISOString() ?? null,
    error_code: capture.errorCode,
    error_message: capture.errorMessage,
    batch_id: capture.batchId,
    options: visibleOptions(capture.options),
    metadata: capture.metadata,
    cached: capture.cached,
    created_at: capture.createdAt.toISOString(),
    started_at: capture.startedAt?.toISOString() ?? null,
    completed_at: capture.completedAt?.toISOString() ?? null,
    outputs: outputsOf(capture, fileUrlOf),
    extracted: capture.extracted?.values ?? null,
    extract_errors: capture.extracted?.errors ?? null,
    quality: capture.quality,
    receipt: capture.receipt && {
      ...capture.receipt,
      ...withLaterFields(capture.receipt),
      navigations: capture.receipt.navigations ?? 1,
      isolation: capture.receipt.isolation ?? null,
      quality: capture.quality,
    },
  };
}

/** Adds the fields that receipts of earlier workers lack, also while operators roll out a new version. */
function withLaterFields({
  timings,
  browser_failures,
  requests,
  dialogs,
}: StoredReceipt): Pick<StoredReceipt, 'timings' | 'browser_failures' | 'requests' | 'dialogs'> {
  return {
    requests: { ...requests, cut_off: requests.cut_off ?? null },
    dialogs: dialogs ?? 0,
    timings: { ...timings, browser_ms: timings.browser_ms ?? null, other_tries_ms: timings.other_tries_ms ?? null },
    browser_failures: browser_failures ?? [],
  };
}

function outputsOf(capture: CaptureWithOutputs, fileUrlOf: FileUrlOf): CaptureRecord['outputs'] {
  const { storageKey, format, width, height, fileSize, expiresAt, outputs } = capture;
  if (storageKey === null || format === null || width === null || height === null) return null;
  if (fileSize === null || expiresAt === null) return null;
  return completedOutputs(fileUrlOf, { ...capture, format, width, height, fileSize, expiresAt }, outputs);
}

type CaptureWithOutputs = Pick<
  StoredCapture,
  'id' | 'type' | 'storageKey' | 'format' | 'width' | 'height' | 'fileSize' | 'expiresAt' | 'outputs'
>;

/** Returns the link to a capture's file; null without a file or after the file was deleted. */
function fileUrl(
  { id, storageKey, format, expiresAt }: Pick<StoredCapture, 'id' | 'storageKey' | 'format' | 'expiresAt'>,
  fileUrlOf: FileUrlOf,
): string | null {
  if (storageKey === null || format === null || expiresAt === null) return null;
  return fileUrlOf({ captureId: id, format, expiresAt });
}

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

/** Shows an item in the format of its batch's results: as in `batch.completed`, with all files if it has several. */
export function itemResult({ form, fileUrlOf }: { form: ContractForm; fileUrlOf: FileUrlOf }, item: StoredItem) {
  const outputs = item.outputs && item.outputs.length > 0 ? outputsOf(item, fileUrlOf) : null;
  const result = batchResult(form, {
    request_id: item.id,
    url: item.url,
    status: item.status,
    error_code: item.errorCode,
    file_url: fileUrl(item, fileUrlOf),
  });
  return { ...result, ...(outputs && { outputs }) };
}
