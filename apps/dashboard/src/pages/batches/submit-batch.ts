import { Problem } from '../../api/problem.ts';
import { request } from '../../api/request.ts';
import type { BatchAcceptance, CaptureRecord, CaptureType } from '../../api/responses.ts';

export interface NewBatchRequest {
  items: Record<string, unknown>[];
  type?: CaptureType;
  options?: Record<string, unknown>;
  webhook_url?: string;
  share_page?: boolean;
}

/** A thousand items are checked and stored before the answer. */
const withinMs = 60_000;

/** Submits a batch; the same request sent again because its answer was lost makes no second one. */
export function submitBatch(body: NewBatchRequest): Promise<BatchAcceptance> {
  return request('POST', '/api/v1/batches', { body, withinMs, idempotencyKey: crypto.randomUUID() });
}

/** What is confided to a capture is dropped when it ends, so that it cannot be given to another. */
const confided = ['cookies', 'headers', 'basic_auth'];

const isRepeatable = ({ options }: CaptureRecord) => !confided.some((name) => name in options);

/**
 * Submits what failed in a batch as a new one, each item with the options that it had.
 *
 * @returns the new batch, and how many items are not in it since they had cookies, headers or a password.
 * @throws {Problem} if that is all of them.
 */
export async function repeatFailed(batchId: string): Promise<BatchAcceptance & { left: number }> {
  const failed = await failedCaptures(batchId);
  const repeatable = failed.filter(isRepeatable);
  if (repeatable.length === 0) {
    const message = 'All that failed had cookies, headers or a password, which are not kept: submit it anew with them.';
    throw new Problem({ status: 0, code: 'INVALID_REQUEST', message });
  }
  const items = await Promise.all(repeatable.map(itemOf));
  return { ...(await submitBatch({ items })), left: failed.length - repeatable.length };
}

/** Captures of one page. */
const limit = 100;

/** A batch is small enough to be read whole: a thousand items are ten pages. */
async function failedCaptures(batchId: string): Promise<CaptureRecord[]> {
  const found: CaptureRecord[] = [];
  let cursor: string | null = null;
  do {
    const query = { batch_id: batchId, status: 'failed', limit, cursor };
    const page: { captures: CaptureRecord[]; next_cursor: string | null } = await request('GET', '/api/v1/captures', {
      query,
    });
    found.push(...page.captures);
    cursor = page.next_cursor;
  } while (cursor !== null);
  // The list is newest first; the batch was in the order of its items.
  return found.reverse();
}

/** What a list shows in place of a text that is too long for it. */
const cut = '…';

async function itemOf(capture: CaptureRecord): Promise<Record<string, unknown>> {
  const isCut = Object.values(capture.options).includes(cut);
  const { options, type } = isCut
    ? await request<CaptureRecord>('GET', `/api/v1/captures/${capture.request_id}`)
    : capture;
  return { ...options, type };
}
