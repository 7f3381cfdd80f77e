import { z } from 'zod';
import { ApiError, type ErrorDetail, invalidRequest, maxDetails } from '../errors.ts';
import type { CaptureType } from '../events/events.ts';
import { type CaptureKind, captureKinds, type FilledRequest } from './capture-options.ts';
import { refuseCrowds, requestFaults } from './parse-request.ts';
import { respondingFields } from './request-options.ts';
import { respell } from './respell.ts';

const typeName = z.enum(Object.keys(captureKinds) as CaptureType[]);

/** A batch as a whole; each item is checked against the schema of its own type, with the batch's defaults. */
export const batchRequest = z.strictObject({
  items: z
    .array(z.record(z.string(), z.unknown()))
    .min(1)
    .meta({
      description: 'What is captured: each item has the options of its type, and `type` if it is not the batch’s.',
      example: [{ url: 'https://example.com/' }, { url: 'https://example.com/about', type: 'pdf' }],
    }),
  type: typeName.default('screenshot').meta({
    description: 'The type of every item that names none.',
    example: 'pdf',
  }),
  options: z
    .record(z.string(), z.unknown())
    .default({})
    .meta({
      description: 'Options of every item, which must fit its type; an item’s own win, its `null` unsets one.',
      example: { timeout_ms: 60_000 },
    }),
  webhook_url: respondingFields.webhook_url.unwrap().optional().meta({
    description: 'Where the events of the batch and of its items are delivered.',
    example: 'https://hooks.example.com/captures',
  }),
  share_page: z.boolean().default(false).meta({
    description:
      'Items that carry no `cookies`, `headers`, `basic_auth`, `js`, `click` or `html` may use one cleared page and its HTTP cache in turn, within this batch only.',
    example: true,
  }),
});

/** One item, its batch's defaults merged into it. */
export interface BatchItem {
  type: CaptureType;
  url: string;
  /** As the client gave them, with the batch's defaults. */
  options: Record<string, unknown>;
  /** With every default filled in. */
  filled: FilledRequest;
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
  const parsing = parsingBatch(given, itemsAtMost);
  for (;;) {
    const step = parsing.next();
    if (step.done) return step.value;
  }
}

/** `parseBatch` in steps, one per item: a thousand large items take half a second, and a server has other clients. */
export function* parsingBatch(given: unknown, itemsAtMost: number): Generator<undefined, BatchRequest> {
  checkCount(given, itemsAtMost);
  refuseCrowds(given);
  const result = batchRequest.safeParse(given);
  // The items' own texts are looked at with each item, once it is known to be no deeper than its schema.
  const found = requestFaults(result, result.success ? result.data.webhook_url : given, 'a batch', batchRequest);
  if (!result.success || found.length > 0) throw invalidRequest(found);
  const batch = result.data;
  // The schema's copies lack names that it cannot hold, such as `__proto__`; those of the client are faults.
  const { items: listed, options: defaults = {} } = given as Pick<z.input<typeof batchRequest>, 'items' | 'options'>;
  const faults = new Map<string, ErrorDetail>();
  const items: BatchItem[] = [];
  for (const [index, item] of listed.entries()) {
    refuseCrowds(item, `items.${index}`);
    const parsed = parseItem(item, batch.type, defaults, faults.size < maxDetails ? maxDetails : 0);
    if ('faults' in parsed) {
      for (const fault of parsed.faults) {
        const field = placeOf(fault, index, item, defaults);
        if (!faults.has(field)) faults.set(field, { ...fault, field });
      }
    } else items.push(parsed);
    yield;
  }
  if (faults.size > 0) throw invalidRequest([...faults.values()]);
  return { items, webhookUrl: batch.webhook_url ?? null, sharePage: batch.share_page };
}

/** Counts before anything else: a body of 5 MB holds a million items, and to check them all would hold up other clients. */
function checkCount(given: unknown, itemsAtMost: number): void {
  const items = (given as { items?: unknown } | null | undefined)?.items;
  if (!Array.isArray(items) || items.length <= itemsAtMost) return;
  throw new ApiError('PAYLOAD_TOO_LARGE', `A batch has at most ${itemsAtMost} items; this one has ${items.length}.`);
}

function parseItem(
  item: Record<string, unknown>,
  defaultType: CaptureType,
  defaults: Record<string, unknown>,
  explained: number,
): BatchItem | { faults: ErrorDetail[] } {
  const { type: givenType = defaultType, ...own } = item;
  const type = typeName.safeParse(givenType);
  if (!type.success) {
    return {
      faults: requestFaults(type, givenType, 'a batch', typeName, explained).map((fault) => ({
        ...fault,
        field: 'type',
      })),
    };
  }
  const kind: CaptureKind = captureKinds[type.data];
  const merged = Object.entries({ ...defaults, ...own }).filter(([, value]) => value !== null);
  const options = Object.fromEntries(merged);
  const spelled = respell(options);
  const result = kind.item.safeParse(spelled);
  const found = requestFaults(result, spelled, kind.name, kind.item, explained);
  if (!result.success || found.length > 0) return { faults: found };
  const filled = result.data;
  return { type: type.data, url: filled.url, options, filled, metadata: filled.metadata ?? null };
}

/** Where to fix a fault: in the item, or in the batch's default that the item uses. */
function placeOf(
  fault: ErrorDetail,
  index: number,
  item: Record<string, unknown>,
  defaults: Record<string, unknown>,
): string {
  const [name = ''] = fault.field.split('.');
  return Object.hasOwn(item, name) || !Object.hasOwn(defaults, name)
    ? `items.${index}.${fault.field}`
    : `options.${fault.field}`;
}
