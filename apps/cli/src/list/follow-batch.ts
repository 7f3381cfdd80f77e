import { setTimeout as sleep } from 'node:timers/promises';
import type { CaptureClient } from '@capture-platform/sdk/client';
import type { PlannedItem } from './folder.ts';

/** A finished item of a batch. */
export interface EndedItem {
  item: PlannedItem;
  url: string;
  requestId: string;
  status: 'completed' | 'failed' | 'cancelled';
  errorCode: string | undefined;
  fileUrl: string | undefined;
}

/** The shortest interval between two reads of all results, milliseconds. */
const pollIntervalMs = 1_000;

/** The number of results in one response. Most batches have fewer. */
const pageSize = 1_000;

/**
 * Follows a batch to its end and yields each item once, soon after it has finished.
 *
 * @param items in the order of submission, which is the order of the results.
 */
export async function* followBatch(
  client: CaptureClient,
  batchId: string,
  items: readonly PlannedItem[],
  signal: AbortSignal,
): AsyncGenerator<EndedItem, void, undefined> {
  const yielded = new Set<number>();
  let changed = true;
  let ended = false;
  let wake = () => {};
  const notify = () => {
    changed = true;
    wake();
  };
  const waiting = client.batches.wait(batchId, { signal, onProgress: notify }).finally(() => {
    ended = true;
    notify();
  });
  // The loop throws the error at its end.
  waiting.catch(() => {});

  for (let isLast = false; !isLast; ) {
    if (!changed) await new Promise<void>((resolve) => (wake = resolve));
    changed = false;
    isLast = ended;
    if (isLast) await waiting;
    let index = 0;
    for await (const result of client.batches.results(batchId, { limit: pageSize }, { signal })) {
      const at = index++;
      const item = items[at];
      const { status } = result;
      if (!item || yielded.has(at) || status === 'queued' || status === 'processing') continue;
      yielded.add(at);
      const { request_id: requestId, url, error_code: errorCode, file_url: fileUrl } = result;
      yield { item, url, requestId, status, errorCode, fileUrl };
    }
    if (!isLast && !ended) await sleep(pollIntervalMs, undefined, { signal });
  }
}
