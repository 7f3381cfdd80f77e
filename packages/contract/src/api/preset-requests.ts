import { z } from 'zod';
import { time } from './responses.ts';

/** The body and responses of presets. */

export const presetBody = z.strictObject({
  options: z.record(z.string(), z.unknown()).meta({
    description:
      'Options of captures, as a request has them; not `url`, `html` and `preset`. At most 64 kB as JSON. It replaces all options of the version before.',
    example: { width: 1_440, block_ads: true },
  }),
});

export const presetRecord = z.strictObject({
  name: z.string().meta({ example: 'shop' }),
  version: z.int().min(1).meta({ description: 'Counts from 1 for each name.', example: 3 }),
  options: z.record(z.string(), z.unknown()).meta({
    description: 'The options; secrets in `cookies`, `headers` and `basic_auth` are shown as `***`.',
    example: { width: 1_440, block_ads: true },
  }),
  created_at: time,
});
