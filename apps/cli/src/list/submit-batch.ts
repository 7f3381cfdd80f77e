import type { CaptureClient } from '@capture-platform/sdk/client';
import {
  IdempotencyConflictError,
  InvalidRequestError,
  PayloadTooLargeError,
  QuotaExceededError,
} from '@capture-platform/sdk/errors';
import type { Item } from './item.ts';

/** Batch settings apart from the options of items. */
export interface BatchTerms {
  webhook_url?: string;
}

/** A fault in an item, such as `clip.width` of the option `clip`. */
export interface ItemFault {
  option: string;
  field: string;
  message: string;
}

export type Submission =
  | { status: 'accepted'; batchId: string }
  /** There are too many items or bytes. `maxItems` is set if the server named its limit. */
  | { status: 'too large'; maxItems: number | null }
  /** The invalid items by index, with their faults. */
  | { status: 'refused'; faults: ReadonlyMap<number, readonly ItemFault[]> }
  /** The month's quota is too small. */
  | { status: 'no quota'; remaining: number; message: string }
  /** The key was used with other items. */
  | { status: 'conflict' };

/**
 * Submits a batch. Each item carries all of its options, so the same captures have the same body in every run and, with
 * the same `Idempotency-Key`, the same batch.
 *
 * @throws errors that are not about items: the key, the connection, the batch settings.
 */
export async function submitBatch(
  client: CaptureClient,
  items: readonly Item[],
  terms: BatchTerms,
  { idempotencyKey, signal }: { idempotencyKey: string; signal: AbortSignal },
): Promise<Submission> {
  const body = { items: items.map(({ type, url, options }) => ({ type, url, ...options })), ...terms };
  try {
    // The server validates the user's items.
    const { batch_id: batchId } = await client.batches.create(body as never, { idempotencyKey, signal });
    return { status: 'accepted', batchId };
  } catch (error) {
    if (error instanceof IdempotencyConflictError) return { status: 'conflict' };
    if (error instanceof PayloadTooLargeError) {
      const [, limit] = /at most (\d+) items/.exec(error.message) ?? [];
      return { status: 'too large', maxItems: limit === undefined ? null : Number(limit) };
    }
    if (error instanceof QuotaExceededError) {
      return { status: 'no quota', remaining: await remainingQuota(client, signal), message: error.message };
    }
    if (error instanceof InvalidRequestError) return { status: 'refused', faults: readFaults(error) };
    throw error;
  }
}

/** @throws the error itself if it names no item. */
function readFaults(error: InvalidRequestError): Map<number, ItemFault[]> {
  const faults = new Map<number, ItemFault[]>();
  for (const { field: location, message } of error.details) {
    const [, index, field] = /^items\.(\d+)\.(.+)$/.exec(location) ?? [];
    if (index === undefined || field === undefined) throw error;
    const [option = field] = field.split('.');
    const found = faults.get(Number(index)) ?? [];
    faults.set(Number(index), [...found, { option, field, message }]);
  }
  if (faults.size === 0) throw error;
  return faults;
}

async function remainingQuota(client: CaptureClient, signal: AbortSignal): Promise<number> {
  const { usage } = await client.account.get({ signal });
  return usage.limit === null ? 0 : Math.max(0, usage.limit - usage.used - usage.reserved);
}
