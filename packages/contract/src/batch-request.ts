import { z } from 'zod';
import { screenshotItem, screenshotRequest } from './capture-options.ts';
import { ApiError, type ErrorDetail, invalidRequest } from './errors.ts';
import type { CaptureType } from './events.ts';
import { requestFaults } from './parse-request.ts';

/** The kinds of captures that can be items of a batch. */
const kinds: Readonly<Partial<Record<CaptureType, { schema: z.ZodType; name: string }>>> = {
  screenshot: { schema: screenshotItem, name: 'a screenshot' },
};

const typeName = z.enum(Object.keys(kinds) as CaptureType[]);

const batchRequest = z.strictObject({
  items: z.array(z.record(z.string(), z.unknown())).min(1),
  type: typeName.default('screenshot'),
  options: z.record(z.string(), z.unknown()).default({}),
  webhook_url: screenshotRequest.shape.webhook_url,
  share_page: z.boolean().default(false),
});

/** One item, its batch's defaults merged into it. */
export interface BatchItem {
  type: CaptureType;
  url: string;
  /** As the client gave them, with the batch's defaults. */
  options: Record<string, unknown>;
  /** With every default filled in. */
  filled: Record<string, unknown>;
  metadata: Record<string, string> | null;
}

export interface BatchRequest {
  items: BatchItem[];
  webhookUrl: string | null;
  sharePage: boolean;
}

/**
 * Checks a batch as a whole: an item's own options win over the batch's, its `null` unsets one of them.
 *
 * @throws {ApiError} `PAYLOAD_TOO_LARGE` for more items than `itemsAtMost`; `INVALID_REQUEST` that names each fault by
 * its item (`items.5.width`), or by the batch's default that it comes from (`options.width`).
 */
export function parseBatch(given: unknown, itemsAtMost: number): BatchRequest {
  checkCount(given, itemsAtMost);
  const result = batchRequest.safeParse(given);
  // The items' own texts are looked at with each item, once it is known to be no deeper than its schema.
  const found = requestFaults(result, result.data?.webhook_url, 'a batch');
  if (!result.success || found.length > 0) throw invalidRequest(found);
  const batch = result.data;
  const faults = new Map<string, ErrorDetail>();
  const items: BatchItem[] = [];
  for (const [index, item] of batch.items.entries()) {
    const parsed = parseItem(item, batch.type, batch.options);
    if ('faults' in parsed) {
      for (const fault of parsed.faults) {
        const field = placeOf(fault, index, item, batch.options);
        faults.set(field, { ...fault, field });
      }
    } else items.push(parsed);
  }
  if (faults.size > 0) throw invalidRequest([...faults.values()]);
  return { items, webhookUrl: batch.webhook_url ?? null, sharePage: batch.share_page };
}

/** Counts before anything else: a body of 5 MB holds a million items, and to check them all would hold up everybody. */
function checkCount(given: unknown, itemsAtMost: number): void {
  const items = (given as { items?: unknown } | null | undefined)?.items;
  if (!Array.isArray(items) || items.length <= itemsAtMost) return;
  throw new ApiError('PAYLOAD_TOO_LARGE', `A batch has at most ${itemsAtMost} items; this one has ${items.length}.`);
}

function parseItem(
  item: Record<string, unknown>,
  defaultType: CaptureType,
  defaults: Record<string, unknown>,
): BatchItem | { faults: ErrorDetail[] } {
  const { type: givenType = defaultType, ...own } = item;
  const type = typeName.safeParse(givenType);
  const kind = type.success ? kinds[type.data] : undefined;
  if (!type.success || !kind) {
    return { faults: [{ field: 'type', message: `must be one of ${Object.keys(kinds).join(', ')}` }] };
  }
  const merged = Object.entries({ ...defaults, ...own }).filter(([, value]) => value !== null);
  const options = Object.fromEntries(merged);
  const result = kind.schema.safeParse(options);
  const found = requestFaults(result, options, kind.name);
  if (!result.success || found.length > 0) return { faults: found };
  const filled = result.data as Record<string, unknown> & { url: string; metadata?: Record<string, string> };
  return { type: type.data, url: filled.url, options, filled, metadata: filled.metadata ?? null };
}

/** Where a fault is to be mended: in the item, or in the batch's default that the item takes over. */
function placeOf(
  fault: ErrorDetail,
  index: number,
  item: Record<string, unknown>,
  defaults: Record<string, unknown>,
): string {
  const [name = ''] = fault.field.split('.');
  return name in item || !(name in defaults) ? `items.${index}.${fault.field}` : `options.${fault.field}`;
}
