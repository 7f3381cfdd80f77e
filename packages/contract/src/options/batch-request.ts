import { z } from 'zod';
import { ApiError, type ErrorDetail, invalidRequest, maxDetails } from '../errors.ts';
import type { CaptureType } from '../events/events.ts';
import { type CaptureKind, captureKinds, type FilledRequest } from './capture-options.ts';
import { refuseCrowds, requestFaults } from './parse-request.ts';
import { type FoundPreset, isOfPreset, type PresetFault, referenceIn, withPreset } from './preset-options.ts';
import { keepingFields, respondingFields } from './request-options.ts';
import { respell } from './respell.ts';

const typeName = z.enum(Object.keys(captureKinds) as CaptureType[]);

/** The batch as a whole. Each item is checked against the schema of its type, with the batch's defaults. */
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
  preset: keepingFields.preset.unwrap().optional().meta({
    description: 'The preset of every item that names none. `options` and an item’s own win over it.',
    example: 'shop@3',
  }),
  webhook_url: respondingFields.webhook_url.unwrap().optional().meta({
    description: 'Where the events of the batch and of its items are delivered.',
    example: 'https://hooks.example.com/captures',
  }),
  share_page: z.boolean().default(false).meta({
    description:
      'Accepted for older clients, and without effect: captures of one account use cleared pages one after the other, as `isolation` says.',
    example: true,
  }),
});

/** The most characters of JSON in the options of all items, 20 kB for each of a thousand. Batch options count with each item. */
const longestItems = 20 * 1024 * 1024;

/** The presets that a batch names, or why they cannot be used, by their references. */
export type BatchPresets = ReadonlyMap<string, FoundPreset | PresetFault>;

/** An item that its preset and its batch's defaults are merged into. */
export interface BatchItem {
  type: CaptureType;
  url: string;
  /** The options as the client gave them, with the preset and the batch's defaults. */
  options: Record<string, unknown>;
  /** The options with every default filled in. */
  filled: FilledRequest;
  metadata: Record<string, string> | null;
}

export interface BatchRequest {
  items: BatchItem[];
  webhookUrl: string | null;
}

/**
 * Checks a batch. An item's options take precedence over the batch's, and its `null` unsets a batch's option.
 *
 * @throws {ApiError} `PAYLOAD_TOO_LARGE` for more items than `itemsAtMost`, or too long items; `INVALID_REQUEST` that names each
 * fault by its item (`items.5.width`), or by the batch's default that contains it (`options.width`).
 */
export function parseBatch(given: unknown, itemsAtMost: number, presets: BatchPresets = new Map()): BatchRequest {
  const parsing = parsingBatch(given, itemsAtMost, presets);
  for (;;) {
    const step = parsing.next();
    if (step.done) return step.value;
  }
}

/** Does the work of `parseBatch` in steps of one item, because a thousand large items would block other clients for half a second. */
export function* parsingBatch(
  given: unknown,
  itemsAtMost: number,
  presets: BatchPresets,
): Generator<undefined, BatchRequest> {
  checkCount(given, itemsAtMost);
  refuseCrowds(given);
  const result = batchRequest.safeParse(given);
  // The items' texts are checked with each item, once the item is known to be no deeper than its schema.
  const found = requestFaults(result, result.success ? result.data.webhook_url : given, 'a batch', batchRequest);
  if (!result.success || found.length > 0) throw invalidRequest(found);
  const batch = result.data;
  // The schema's copies lack names such as `__proto__`, which count as faults, so the checks read the client's objects.
  const { items: listed, options = {} } = given as Pick<z.input<typeof batchRequest>, 'items' | 'options'>;
  const defaults = { ...(batch.preset !== undefined && { preset: batch.preset }), ...options };
  const faults = new Map<string, ErrorDetail>();
  const items: BatchItem[] = [];
  let length = 0;
  for (const [index, item] of listed.entries()) {
    refuseCrowds(item, `items.${index}`);
    const merging = { item, options, defaults, presets };
    const parsed = parseItem(merging, batch.type, faults.size < maxDetails ? maxDetails : 0);
    if ('faults' in parsed) {
      for (const fault of parsed.faults) {
        const field = locateFault(fault, index, merging);
        if (!faults.has(field)) faults.set(field, { ...fault, field });
      }
    } else {
      items.push(parsed);
      length += JSON.stringify(parsed.options).length;
      if (length > longestItems) throw tooLong();
    }
    yield;
  }
  if (faults.size > 0) throw invalidRequest([...faults.values()]);
  return { items, webhookUrl: batch.webhook_url ?? null };
}

/** Checks the number of items first: a body of 5 MB may contain a million items, and checking all would delay other clients. */
function checkCount(given: unknown, itemsAtMost: number): void {
  const items = (given as { items?: unknown } | null | undefined)?.items;
  if (!Array.isArray(items) || items.length <= itemsAtMost) return;
  throw new ApiError('PAYLOAD_TOO_LARGE', `A batch has at most ${itemsAtMost} items; this one has ${items.length}.`);
}

/** Without the limit, a thousand items with the batch's styles and scripts of 190 kB would be stored as 190 MB. */
const tooLong = () =>
  new ApiError(
    'PAYLOAD_TOO_LARGE',
    'The items of a batch have at most 20 MB of options together. The options of the batch, and of its preset, count with each item.',
  );

/** The options that are merged into an item. */
interface Merging {
  /** The item's options. */
  item: Record<string, unknown>;
  /** The batch's `options`. */
  options: Record<string, unknown>;
  /** The batch's `options` and `preset`. */
  defaults: Record<string, unknown>;
  presets: BatchPresets;
}

function parseItem(
  { item, defaults, presets }: Merging,
  defaultType: CaptureType,
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
  const explicit = { ...defaults, ...own };
  const preset = presets.get(referenceIn(explicit) ?? '');
  if (preset && 'fault' in preset) return { faults: [preset.fault] };
  const merged = Object.entries(preset ? withPreset(explicit, preset) : explicit);
  const options = Object.fromEntries(merged.filter(([, value]) => value !== null));
  const spelled = respell(options);
  const result = kind.item.safeParse(spelled);
  const found = requestFaults(result, spelled, kind.name, kind.item, explained);
  if (!result.success || found.length > 0) return { faults: found };
  const filled = result.data;
  return { type: type.data, url: filled.url, options, filled, metadata: filled.metadata ?? null };
}

/** Returns where to fix a fault: in the item, in the batch's default that the item uses, or in the preset. */
function locateFault({ field }: ErrorDetail, index: number, { item, options, defaults, presets }: Merging): string {
  const [name = ''] = field.split('.');
  const explicit = { ...defaults, ...item };
  const preset = presets.get(referenceIn(explicit) ?? '');
  const isPreset = preset && !('fault' in preset) && isOfPreset(field, explicit, preset);
  const inPreset = isPreset ? `preset.${field}` : field;
  const ofBatch = isPreset ? 'preset' : name;
  if (Object.hasOwn(item, ofBatch)) return `items.${index}.${inPreset}`;
  if (Object.hasOwn(options, ofBatch)) return `options.${inPreset}`;
  return Object.hasOwn(defaults, ofBatch) ? inPreset : `items.${index}.${inPreset}`;
}

/** Returns the presets that a batch and its items name, each once. A batch that will be refused has none. */
export function presetsNamed(given: unknown, itemsAtMost: number): string[] {
  if (typeof given !== 'object' || given === null) return [];
  const { items, options } = given as { items?: unknown; options?: unknown };
  const own = Array.isArray(items) && items.length <= itemsAtMost ? items : [];
  const named = [given, options, ...own].map(referenceIn);
  return [...new Set(named)].filter((reference) => reference !== null);
}
