import { z } from 'zod';
import type { CaptureType } from '../events/events.ts';
import { batchRequest } from '../options/batch-request.ts';
import { captureKinds } from '../options/capture-options.ts';

/** An item of a batch as a client may write it: its type and the options of that type. */
export const batchItemSchemas = {
  screenshot: captureKinds.screenshot.item.in.extend({ type: typeField('screenshot') }),
  pdf: captureKinds.pdf.item.in.extend({ type: typeField('pdf') }),
  og_image: captureKinds.og_image.item.in.extend({ type: typeField('og_image') }),
  content: captureKinds.content.item.in.extend({ type: typeField('content') }),
};

function typeField(type: CaptureType) {
  return z.literal(type).optional().meta({ description: 'The batch’s `type` unless given.', example: type });
}

/** The documented body of a batch. `parseBatch` checks each item with the schema of its type. */
export const batchBody = batchRequest.extend({
  items: z
    .array(z.union(Object.values(batchItemSchemas)))
    .min(1)
    .meta({
      description:
        'What is captured: each item has the options of its type, of which a `null` unsets the batch’s. Up to 1,000 items unless the operator set another limit.',
      example: [{ url: 'https://example.com/' }, { url: 'https://example.com/about', type: 'pdf' }],
    }),
});

/** The query of a page of a batch's results; a batch of the usual size fits into two pages. */
export const batchResultsQuery = z.strictObject({
  limit: z.int().min(1).max(1_000).default(500),
  cursor: z
    .string()
    .regex(/^\d{1,6}$/, 'is not a next_cursor of this list')
    .optional(),
});
