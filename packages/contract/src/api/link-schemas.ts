import { z } from 'zod';

const time = z.iso.datetime();

/** A month: the longest that links of a rotated secret may stay valid; those in mails are older than those in pages. */
const longestOverlapS = 2_592_000;

export const linkSecretRequest = z.strictObject({
  overlap_s: z.int().min(0).max(longestOverlapS).default(0).meta({
    description: 'How long links of the previous secret stay valid.',
    unit: 'seconds',
    example: 86_400,
  }),
});

export const linkSecret = z.strictObject({
  secret: z.string().meta({ description: 'Its whole text, as UTF-8, is the key of the signature. Shown once.' }),
  created_at: time,
  previous_valid_until: time
    .nullable()
    .meta({ description: 'Until when links of the previous secret are valid; null if none are.' }),
});

export const linkSecretFacts = z.strictObject({ created_at: time });
