import { setTimeout as sleep } from 'node:timers/promises';
import type { CaptureClient } from '@capture/sdk/client';
import type { PlannedItem } from './folder.ts';

/** An item of a batch that has ended. */
export interface EndedItem {
  item: PlannedItem;
  url: string;
  requestId: string;
  status: 'completed' | 'failed' | 'cancelled';
  errorCode: string | undefined;
  fileUrl: string | undefined;
}

/** All results of a batch are read at once: not more often than this, milliseconds. */
const lookEveryMs = 1_000;

/** Results of one answer; a batch of the usual size is one. */
const resultsAtOnce = 1_000;

/**
 * Follows a batch to its end and hands over each of its items once, soon after it has ended.
 *
 * @param items as they were handed in: the results come in their order.
 */
export async function* followBatch(
  client: CaptureClient,
  batchId: string,
  items: readonly PlannedItem[],
  signal: AbortSignal,
): AsyncGenerator<EndedItem, void, undefined> {
  const handed = new Set<number>();
  let changed = true;
  let ended = false;
  let wake = () => {};
  const tell = () => {
    changed = true;
    wake();
  };
  const waiting = client.batches.wait(batchId, { signal, onProgress: tell }).finally(() => {
    ended = true;
    tell();
  });
  // What it throws is thrown at the end of the loop.
  waiting.catch(() => {});

  for (let isLast = false; !isLast; ) {
    if (!changed) await new Promise<void>((resolve) => (wake = resolve));
    changed = false;
    isLast = ended;
    if (isLast) await waiting;
    let index = 0;
    for await (const result of client.batches.results(batchId, { limit: resultsAtOnce }, { signal })) {
      const at = index++;
      const item = items[at];
      const { status } = result;
      if (!item || handed.has(at) || status === 'queued' || status === 'processing') continue;
      handed.add(at);
      const { request_id: requestId, url, error_code: errorCode, file_url: fileUrl } = result;
      yield { item, url, requestId, status, errorCode, fileUrl };
    }
    if (!isLast && !ended) await sleep(lookEveryMs, undefined, { signal });
  }
}
