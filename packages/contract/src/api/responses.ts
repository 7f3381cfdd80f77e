import { z } from 'zod';
import { captureErrorCodes, type ErrorCode, errorStatus } from '../errors.ts';
import { captureTypes, outputKinds } from '../events/events.ts';
import { quality } from '../quality.ts';
import { receipt } from './receipt.ts';

/** The schemas of the responses about captures and batches, for the OpenAPI document and the tests. */

export const time = z.iso.datetime().meta({ description: 'ISO 8601, UTC.', example: '2026-11-20T10:00:00.000Z' });
export const count = z.int().min(0);

const requestId = z.string().meta({ description: 'The capture.', example: 'req_01kaek2v2gf3d9w8q0x5m7r4tz' });
const batchId = z.string().meta({ description: 'The batch.', example: 'batch_01kaek2v2gf3d9w8q0x5m7r4tz' });
const captureErrorCode = z.enum(captureErrorCodes);
const fileUrl = z.string().meta({
  description: 'A signed link to the file, which needs no key and expires at `expires_at`.',
  example: 'https://captures.example.com/files/req_01kaek2v2gf3d9w8q0x5m7r4tz.png?expires=1764237600&signature=…',
});

export const captureStatuses = ['queued', 'processing', 'completed', 'failed', 'cancelled'] as const;

export type CaptureStatus = (typeof captureStatuses)[number];

export const errorBody = z.strictObject({
  error_code: z.enum(Object.keys(errorStatus) as ErrorCode[]),
  error_message: z.string().meta({ example: 'The request is not valid: width must be at least 16 (given: 5).' }),
  request_id: z.string().meta({ description: 'The request, or its capture if there is one.' }),
  details: z
    .array(
      z.strictObject({
        field: z.string().meta({ example: 'items.5.width' }),
        message: z.string().meta({ example: 'must be at least 16' }),
        value: z
          .union([z.string(), z.number(), z.boolean()])
          .optional()
          .meta({ description: 'What was given, if it is short and plain.', example: 5 }),
        example: z.unknown().optional().meta({ description: 'A value that the field may have.', example: 1280 }),
      }),
    )
    .optional()
    .meta({
      description:
        'For a 400: the first 20 invalid fields. For `QUALITY_REJECTED`: the reasons, as `quality.<reason>`, each with its explanation.',
    }),
});

export const acceptance = z.strictObject({
  request_id: requestId,
  status: z.enum(['queued', 'completed']).meta({
    description: '`completed` if it was served from the cache.',
  }),
  status_url: z.string().meta({ description: 'URL of the record.' }),
  position: count.meta({ description: 'Captures ahead of it in the queue.' }),
  eta_ms: z
    .int()
    .min(0)
    .nullable()
    .meta({ description: 'Estimated time until it ends; null if unknown.', unit: 'milliseconds' }),
});

export const captureOutput = z.strictObject({
  name: z.string().meta({ example: 'phone' }),
  kind: z.enum(outputKinds),
  format: z.string().meta({ example: 'webp' }),
  file_url: fileUrl,
  file_size: z.int().meta({ unit: 'bytes' }),
  width: z.int().optional().meta({ description: 'Of an image; for a PDF of its first page.', unit: 'pixels' }),
  height: z.int().optional().meta({ unit: 'pixels' }),
});

export type CaptureOutput = z.output<typeof captureOutput>;

/** A capture as clients see it, with `response_type=json` and in look-ups. Fields that do not apply are null. */
export const captureRecord = z.strictObject({
  request_id: requestId,
  status: z.enum(captureStatuses),
  url: z.string().meta({ description: '`about:blank` for a page submitted as `html`.' }),
  type: z.enum(captureTypes),
  format: z.string().nullable().meta({ example: 'png' }),
  width: z.int().nullable().meta({
    description: 'For a PDF: of its first page, in CSS pixels. For content: of the viewport.',
    unit: 'pixels',
  }),
  height: z.int().nullable().meta({
    description: 'For a PDF: of its first page, in CSS pixels. For content: of the viewport.',
    unit: 'pixels',
  }),
  file_size: z.int().nullable().meta({ unit: 'bytes' }),
  duration_ms: z.int().nullable().meta({ description: 'From the start by a worker to the end.', unit: 'milliseconds' }),
  file_url: fileUrl.nullable(),
  expires_at: time.nullable().meta({ description: 'When the link expires and the file is deleted.' }),
  error_code: captureErrorCode.nullable(),
  error_message: z.string().nullable(),
  batch_id: batchId.nullable(),
  options: z.record(z.string(), z.unknown()).meta({
    description:
      'As submitted. Values of `cookies`, `headers` and `basic_auth` are `***`, and `html` is `…`: it is deleted when the capture ends. In lists, values over 10,000 characters are `…` too.',
  }),
  metadata: z.record(z.string(), z.string()).nullable().meta({ description: 'As submitted.' }),
  cached: z.boolean().meta({ description: 'Whether it was served from an earlier identical capture.' }),
  created_at: time,
  started_at: time.nullable(),
  completed_at: time.nullable(),
  outputs: z
    .array(captureOutput)
    .nullable()
    .meta({ description: 'All files: the capture’s own, then those of `outputs`. Null without a file.' }),
  extracted: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({
      description: 'The values of `extract`, by field; null without it. Deleted with the file. In lists it is null.',
      example: { price: 19.9 },
    }),
  extract_errors: z
    .record(z.string(), z.string())
    .nullable()
    .meta({
      description: 'Why a field of `extract` is null, by field; `items.3.price` is one of a list.',
      example: { price: 'nothing matches .price' },
    }),
  quality: quality.nullable().meta({
    description:
      'Whether the capture shows the page. Null if it has not ended, was not rendered, or was made before there was this check.',
  }),
  receipt: receipt.nullable().meta({ description: 'How the capture ran, whether it succeeded or failed.' }),
});

export type CaptureRecord = z.output<typeof captureRecord>;

/** Returns the schema of a page of a list: `{<plural>: […], next_cursor}`. */
export function pageOfRows<Row extends z.ZodType>(name: string, row: Row) {
  return z.strictObject({
    [name]: z.array(row).meta({ description: 'Newest first.' }),
    next_cursor: z.string().nullable().meta({ description: '`cursor` of the next page; null on the last.' }),
  });
}

const batchCounts = {
  total: count,
  succeeded: count,
  failed: count,
};

export const batchAcceptance = z.strictObject({
  batch_id: batchId,
  status: z.literal('processing'),
  total: count,
  created_at: time,
  status_url: z.string(),
});

export const batchRecord = z.strictObject({
  batch_id: batchId,
  status: z.enum(['processing', 'completed', 'cancelled']),
  ...batchCounts,
  cancelled: count,
  pending: count,
  created_at: time,
  completed_at: time.nullable(),
});

/** An entry of a batch's results; fields that do not apply are omitted. */
export const batchResult = z.strictObject({
  request_id: requestId,
  url: z.string(),
  status: z.enum(captureStatuses),
  error_code: captureErrorCode.optional(),
  file_url: fileUrl.optional(),
  outputs: z.array(captureOutput).optional().meta({
    description: 'Of an item with `outputs`: all its files, as in the record of the capture, its own first.',
  }),
});

export const batchWithResults = batchRecord.extend({
  results: z.array(batchResult).meta({ description: 'In the order of the items.' }),
  next_cursor: z.string().nullable(),
});
