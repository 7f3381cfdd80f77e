import { Problem } from '../../api/problem.ts';
import { request } from '../../api/request.ts';
import type { BatchAcceptance, CaptureRecord, CaptureType } from '../../api/responses.ts';

export interface NewBatchRequest {
  items: Record<string, unknown>[];
  type?: CaptureType;
  options?: Record<string, unknown>;
  webhook_url?: string;
}

/** The service checks and stores a thousand items before it responds, milliseconds. */
const timeoutMs = 60_000;

/** Submits a batch. Repeating the request after a lost response does not create a second batch. */
export function submitBatch(body: NewBatchRequest): Promise<BatchAcceptance> {
  return request('POST', '/api/v1/batches', { body, timeoutMs, idempotencyKey: crypto.randomUUID() });
}

/** Options that are deleted when a capture ends, so that a retry cannot have them. */
const deletedOptions = ['cookies', 'headers', 'basic_auth', 'html'];

const isRepeatable = ({ options }: CaptureRecord) => !deletedOptions.some((name) => name in options);

/** Submits the failed captures of a batch as a new batch, like `repeatCaptures`. */
export async function repeatFailed(batchId: string): Promise<BatchAcceptance & { skipped: number }> {
  return repeatCaptures(await failedCaptures(batchId));
}

/**
 * Submits captures as a new batch with the same options.
 *
 * @returns the new batch, and the number of captures that were skipped because some of their options were deleted.
 * @throws {Problem} if all of them were skipped.
 */
export async function repeatCaptures(
  captures: readonly CaptureRecord[],
): Promise<BatchAcceptance & { skipped: number }> {
  const repeatable = captures.filter(isRepeatable);
  if (repeatable.length === 0) {
    const message =
      'All of them had cookies, headers, a password or HTML, which are not kept. Submit them again yourself.';
    throw new Problem({ status: 0, code: 'INVALID_REQUEST', message });
  }
  const items = await Promise.all(repeatable.map(itemOf));
  return { ...(await submitBatch({ items })), skipped: captures.length - repeatable.length };
}

const limit = 100;

/** Reads all pages: a batch has at most a thousand items, which are ten pages. */
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
  // The list is newest first, but the batch was in the order of its items.
  return found.reverse();
}

/** The service puts this text in place of long values in lists. */
const truncated = '…';

async function itemOf(capture: CaptureRecord): Promise<Record<string, unknown>> {
  const isTruncated = Object.values(capture.options).includes(truncated);
  const { options, type } = isTruncated
    ? await request<CaptureRecord>('GET', `/api/v1/captures/${capture.request_id}`)
    : capture;
  const { async: _async, response_type: _type, webhook_url: _webhook, ...own } = options;
  return { ...own, type };
}
