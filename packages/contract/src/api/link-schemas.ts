import { z } from 'zod';
import { linkFiles } from '../links/link-parameters.ts';

const time = z.iso.datetime();

/** The longest time that links of a rotated secret may stay valid: a month, because mails contain older links than pages do. */
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

export const newLink = z.strictObject({
  file: z
    .enum(linkFiles)
    .meta({ description: 'What the link shows, and in which format.', example: 'screenshot.webp' }),
  parameters: z.record(z.string().max(100), z.unknown()).meta({
    description: 'The options of the capture, and `expires`, `placeholder`, `preset` and `ttl_s`.',
    example: { url: 'https://example.com/', width: 1_200, placeholder: 'f4f4f5' },
  }),
  key_id: z.string().max(100).optional().meta({
    description: 'The ID of the API key in the link; that of the request unless given. Revoking the key ends the link.',
    example: 'key_01kaehj3wd6xv4h2v3z0q9r7tm',
  }),
});

const side = z.int().min(1).nullable();

export const signedLink = z.strictObject({
  url: z.url().meta({ description: 'The signed link.' }),
  width: side.meta({ description: 'Of the image as a page shows it; null for a PDF.', unit: 'CSS pixels' }),
  height: side.meta({ description: 'The same; null also where the captured page decides.', unit: 'CSS pixels' }),
});
