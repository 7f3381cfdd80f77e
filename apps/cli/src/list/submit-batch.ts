import type { CaptureClient } from '@capture/sdk/client';
import {
  IdempotencyConflictError,
  InvalidRequestError,
  PayloadTooLargeError,
  QuotaExceededError,
} from '@capture/sdk/errors';
import type { Item } from './item.ts';

/** What goes for all items of a list, beside their options. */
export interface BatchTerms {
  webhook_url?: string;
  share_page?: boolean;
}

/** What the server finds wrong with an item: `clip.width` of the option `clip`. */
export interface ItemFault {
  option: string;
  field: string;
  message: string;
}

/** What came of handing in a batch. */
export type Submission =
  | { status: 'accepted'; batchId: string }
  /** Too many items, or too many bytes; `itemsAtMost` where the server named its limit. */
  | { status: 'too large'; itemsAtMost: number | null }
  /** Items that the server does not take, by their place, and why. */
  | { status: 'refused'; faults: ReadonlyMap<number, readonly ItemFault[]> }
  /** The month's quota has only so many left. */
  | { status: 'no quota'; left: number; message: string }
  /** The same key was used with other items. */
  | { status: 'conflict' };

/**
 * Hands in a batch. Each item carries all of its options, so that the same captures give the same body in another run,
 * and with the same `Idempotency-Key` the same batch.
 *
 * @throws for what is no fault of the items: the key, the connection, an option that the call itself gave.
 */
export async function submitBatch(
  client: CaptureClient,
  items: readonly Item[],
  terms: BatchTerms,
  { idempotencyKey, signal }: { idempotencyKey: string; signal: AbortSignal },
): Promise<Submission> {
  const body = { items: items.map(({ type, url, options }) => ({ type, url, ...options })), ...terms };
  try {
    // The items are the user's: the server judges them.
    const { batch_id: batchId } = await client.batches.create(body as never, { idempotencyKey, signal });
    return { status: 'accepted', batchId };
  } catch (error) {
    if (error instanceof IdempotencyConflictError) return { status: 'conflict' };
    if (error instanceof PayloadTooLargeError) {
      const [, limit] = /at most (\d+) items/.exec(error.message) ?? [];
      return { status: 'too large', itemsAtMost: limit === undefined ? null : Number(limit) };
    }
    if (error instanceof QuotaExceededError) {
      return { status: 'no quota', left: await quotaLeft(client, signal), message: error.message };
    }
    if (error instanceof InvalidRequestError) return { status: 'refused', faults: faultsOf(error) };
    throw error;
  }
}

/** @throws the error itself where it names no item: then it is the call that is wrong. */
function faultsOf(error: InvalidRequestError): Map<number, ItemFault[]> {
  const faults = new Map<number, ItemFault[]>();
  for (const { field: place, message } of error.details) {
    const [, index, field] = /^items\.(\d+)\.(.+)$/.exec(place) ?? [];
    if (index === undefined || field === undefined) throw error;
    const [option = field] = field.split('.');
    const found = faults.get(Number(index)) ?? [];
    faults.set(Number(index), [...found, { option, field, message }]);
  }
  if (faults.size === 0) throw error;
  return faults;
}

async function quotaLeft(client: CaptureClient, signal: AbortSignal): Promise<number> {
  const { usage } = await client.account.get({ signal });
  return usage.limit === null ? 0 : Math.max(0, usage.limit - usage.used - usage.reserved);
}
