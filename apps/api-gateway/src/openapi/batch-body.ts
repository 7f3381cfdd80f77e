import type { CaptureType } from '@capture/contract/events/events';
import { batchRequest } from '@capture/contract/options/batch-request';
import { captureKinds } from '@capture/contract/options/capture-options';
import { z } from 'zod';

/** An item of a batch as a client may write it: the options of its type, and that type. */
export const itemSchemas = {
  screenshot: captureKinds.screenshot.item.in.extend({ type: typeOf('screenshot') }),
  pdf: captureKinds.pdf.item.in.extend({ type: typeOf('pdf') }),
  og_image: captureKinds.og_image.item.in.extend({ type: typeOf('og_image') }),
};

function typeOf(type: CaptureType) {
  return z.literal(type).optional().meta({ description: 'The batch’s `type` unless given.', example: type });
}

/** A batch with its items spelled out, which are checked one by one where a batch is taken. */
export const batchBody = batchRequest.extend({
  items: z
    .array(z.union(Object.values(itemSchemas)))
    .min(1)
    .meta({
      description:
        'What is captured: each item has the options of its type, of which a `null` unsets the batch’s. Up to 1,000 items unless the operator set another limit.',
      example: [{ url: 'https://example.com/' }, { url: 'https://example.com/about', type: 'pdf' }],
    }),
});
