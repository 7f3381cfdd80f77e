import { z } from 'zod';
import { absoluteUrl } from '../absolute-url.ts';
import { presetReference } from './preset-name.ts';

/** The options of a capture request that do not change the capture's image. */

/** The values that are stored with the capture. */
export const keepingFields = {
  preset: z
    .string()
    .regex(presetReference, { error: 'must be the name of a preset, such as shop or shop@3' })
    .optional()
    .meta({
      description:
        'Options that the account stored under this name: the newest version, or that after `@`. The options of the request win, and its `null` unsets one.',
      example: 'shop@3',
    }),
  cache_ttl_s: z.int().min(0).max(2_592_000).default(0).meta({
    description: 'Maximum age of an identical capture of this account that is returned instead, at no cost.',
    unit: 'seconds',
    example: 86_400,
  }),
  metadata: z
    .record(z.string().max(100), z.string())
    .refine((given) => Object.keys(given).length <= 20, { error: 'must have at most 20 values' })
    .refine((given) => Buffer.byteLength(JSON.stringify(given)) <= 4_096, { error: 'must be at most 4 kB as JSON' })
    .optional()
    .meta({
      description: 'Up to 20 strings of your own, 4 kB as JSON, which the record returns.',
      example: { order: '4711' },
    }),
};

/** The options for the response, which items of a batch do not have. */
export const respondingFields = {
  async: z.boolean().default(false).meta({
    description: 'Respond at once with the URL of the record, and capture later.',
    example: true,
  }),
  response_type: z.enum(['binary', 'json']).default('binary').meta({
    description: 'The file of the capture, or its record as JSON.',
    example: 'json',
  }),
  webhook_url: absoluteUrl('https:').optional().meta({
    description: 'Where the events of this capture are delivered.',
    example: 'https://hooks.example.com/captures',
  }),
};

/** The options that do not change the capture's image. */
export const notOfTheImage: ReadonlySet<string> = new Set([
  ...Object.keys(keepingFields),
  ...Object.keys(respondingFields),
]);
