import { z } from 'zod';
import { ApiError, type ErrorDetail, invalidRequest, maxDetails } from '../errors.ts';
import type { CaptureType } from '../events/events.ts';
import { type CaptureKind, captureKinds, type FilledRequest } from './capture-options.ts';
import { refuseCrowds, requestFaults } from './parse-request.ts';
import { type FoundPreset, isOfPreset, type PresetFault, referenceIn, withPreset } from './preset-options.ts';
import { keepingFields, respondingFields } from './request-options.ts';
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

/** The options of all items together, characters of JSON: 20 kB for each of a thousand. The batch's own count with each item. */
const longestItems = 20 * 1024 * 1024;

/** The presets that a batch names, or why they cannot be used, by the texts that name them. */
export type BatchPresets = ReadonlyMap<string, FoundPreset | PresetFault>;

/** One item, its preset and its batch's defaults merged into it. */
export interface BatchItem {
  type: CaptureType;
  url: string;
  /** As the client gave them, with its preset and the batch's defaults. */
  options: Record<string, unknown>;
  /** With every default filled in. */
  filled: FilledRequest;
  metadata: Record<string, string> | null;
}

export interface BatchRequest {
  items: BatchItem[];
  webhookUrl: string | null;
}

/**
 * Checks a batch as a whole: an item's own options win over the batch's, its `null` unsets one of them.
 *
 * @throws {ApiError} `PAYLOAD_TOO_LARGE` for more items than `itemsAtMost`, or too long ones; `INVALID_REQUEST` that names each fault by
 * its item (`items.5.width`), or by the batch's default that it comes from (`options.width`).
 */
export function parseBatch(given: unknown, itemsAtMost: number, presets: BatchPresets = new Map()): BatchRequest {
  const parsing = parsingBatch(given, itemsAtMost, presets);
  for (;;) {
    const step = parsing.next();
    if (step.done) return step.value;
  }
}

/** `parseBatch` in steps, one per item: a thousand large items take half a second, and a server has other clients. */
export function* parsingBatch(
  given: unknown,
  itemsAtMost: number,
  presets: BatchPresets,
): Generator<undefined, BatchRequest> {
  checkCount(given, itemsAtMost);
  refuseCrowds(given);
  const result = batchRequest.safeParse(given);
  // The items' own texts are looked at with each item, once it is known to be no deeper than its schema.
  const found = requestFaults(result, result.success ? result.data.webhook_url : given, 'a batch', batchRequest);
  if (!result.success || found.length > 0) throw invalidRequest(found);
  const batch = result.data;
  // The schema's copies lack names that it cannot hold, such as `__proto__`; those of the client are faults.
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
        const field = placeOf(fault, index, merging);
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

/** Counts before anything else: a body of 5 MB holds a million items, and to check them all would hold up other clients. */
function checkCount(given: unknown, itemsAtMost: number): void {
  const items = (given as { items?: unknown } | null | undefined)?.items;
  if (!Array.isArray(items) || items.length <= itemsAtMost) return;
  throw new ApiError('PAYLOAD_TOO_LARGE', `A batch has at most ${itemsAtMost} items; this one has ${items.length}.`);
}

/** A thousand items with the batch's styles and scripts of 190 kB would be stored as 190 MB. */
const tooLong = () =>
  new ApiError(
    'PAYLOAD_TOO_LARGE',
    'The items of a batch have at most 20 MB of options together. The options of the batch, and of its preset, count with each item.',
  );

/** What an item is merged from. */
interface Merging {
  /** Its own options. */
  item: Record<string, unknown>;
  /** The batch's `options`. */
  options: Record<string, unknown>;
  /** The same, with the batch's `preset`. */
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

/** Where to fix a fault: in the item, in the batch's default that the item uses, or in the preset that one of them names. */
function placeOf({ field }: ErrorDetail, index: number, { item, options, defaults, presets }: Merging): string {
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

/** The presets that a batch and its items name, each once. A batch that is refused anyway names none. */
export function presetsNamed(given: unknown, itemsAtMost: number): string[] {
  if (typeof given !== 'object' || given === null) return [];
  const { items, options } = given as { items?: unknown; options?: unknown };
  const own = Array.isArray(items) && items.length <= itemsAtMost ? items : [];
  const named = [given, options, ...own].map(referenceIn);
  return [...new Set(named)].filter((reference) => reference !== null);
}
