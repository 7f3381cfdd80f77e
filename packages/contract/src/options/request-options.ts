import { z } from 'zod';
import { absoluteUrl } from '../absolute-url.ts';

/** The options of a capture request that say nothing of how its picture looks. */

/** What is kept beside the picture. */
export const keepingFields = {
  cache_ttl_s: z.int().min(0).max(2_592_000).default(0).meta({
    description: 'An equal capture of this account that is younger is given again, free.',
    unit: 'seconds',
    example: 86_400,
  }),
  metadata: z
    .record(z.string().max(100), z.string())
    .refine((given) => Object.keys(given).length <= 20, { error: 'must have at most 20 values' })
    .refine((given) => Buffer.byteLength(JSON.stringify(given)) <= 4_096, { error: 'must be at most 4 kB as JSON' })
    .optional()
    .meta({
      description: 'Up to 20 texts of your own, 4 kB as JSON, that come back in the record.',
      example: { order: '4711' },
    }),
};

/** How the outcome comes back; these are not options of a batch's items. */
export const respondingFields = {
  async: z.boolean().default(false).meta({
    description: 'Answer at once with where the record is to be found, and capture later.',
    example: true,
  }),
  response_type: z.enum(['binary', 'json']).default('binary').meta({
    description: 'The bytes of the capture, or its record in place of them.',
    example: 'json',
  }),
  webhook_url: absoluteUrl('https:').optional().meta({
    description: 'Where the events of this capture are delivered.',
    example: 'https://hooks.example.com/captures',
  }),
};

/** Options that say nothing of how the picture looks. */
export const notOfTheImage: ReadonlySet<string> = new Set([
  ...Object.keys(keepingFields),
  ...Object.keys(respondingFields),
]);
