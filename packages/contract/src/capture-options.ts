import { z } from 'zod';

/**
 * The options of a capture, each once: form, range, default, unit and description. A query, a JSON body and the OpenAPI
 * document are all read from here; a new option is one line in this file and one place in the worker that obeys it.
 */

/** A published limit (the contract's table); longer URLs are refused by many servers anyway. */
const longestUrl = 8_192;

/** What is wrong with an absolute URL of the given protocols, or null. */
function urlFault(text: string, protocols: readonly string[]): string | null {
  const allowed = protocols.map((protocol) => protocol.slice(0, -1)).join(' or ');
  if (!URL.canParse(text)) return `must be an absolute URL (${allowed})`;
  const url = new URL(text);
  if (!protocols.includes(url.protocol)) return `must begin with ${allowed}`;
  if (url.username || url.password) return 'must not have a user name or password in it';
  return null;
}

function absoluteUrl(...protocols: string[]) {
  return z
    .string()
    .max(longestUrl)
    .superRefine((text, context) => {
      const fault = urlFault(text, protocols);
      if (fault) context.addIssue({ code: 'custom', message: fault });
    });
}

/** What a page is loaded with, the same for every kind of capture. */
const loading = {
  url: absoluteUrl('http:', 'https:').meta({ description: 'The page to capture.', example: 'https://example.com/' }),
  width: z.int().min(16).max(7_680).default(1_280).meta({ description: 'Width of the viewport.', unit: 'CSS pixels' }),
  height: z.int().min(16).max(4_320).default(720).meta({ description: 'Height of the viewport.', unit: 'CSS pixels' }),
  device_scale_factor: z.number().min(0.5).max(4).default(1).meta({
    description: 'Device pixels in one CSS pixel: 2 gives a picture of twice the width and height.',
  }),
  wait_until: z.enum(['auto', 'load', 'domcontentloaded', 'networkidle']).default('auto').meta({
    description:
      'What ends the waiting: `auto` is the load event, then nothing in flight, then two frames, each of them capped.',
  }),
  delay_ms: z.int().min(0).max(30_000).default(0).meta({ description: 'A further wait.', unit: 'milliseconds' }),
  timeout_ms: z.int().min(1_000).max(120_000).default(30_000).meta({
    description: 'The whole capture, from when a worker takes it.',
    unit: 'milliseconds',
  }),
};

/** What is kept beside the picture, the same for every kind of capture. */
const keeping = {
  cache_ttl_s: z.int().min(0).max(2_592_000).default(0).meta({
    description: 'An equal capture of this account that is younger is given again, free.',
    unit: 'seconds',
  }),
  metadata: z
    .record(z.string().max(100), z.string())
    .refine((given) => Object.keys(given).length <= 20, { error: 'must have at most 20 values' })
    .refine((given) => Buffer.byteLength(JSON.stringify(given)) <= 4_096, { error: 'must be at most 4 kB as JSON' })
    .optional()
    .meta({ description: 'Texts of your own that come back in the record.', example: { order: '4711' } }),
};

/** How the outcome comes back; these are not options of a batch's items. */
const answering = {
  async: z.boolean().default(false).meta({
    description: 'Answer at once with where the record is to be found, and capture later.',
  }),
  response_type: z.enum(['binary', 'json']).default('binary').meta({
    description: 'The bytes of the capture, or its record in place of them.',
  }),
  webhook_url: absoluteUrl('https:').optional().meta({
    description: 'Where the events of this capture are delivered.',
    example: 'https://hooks.example.com/captures',
  }),
};

const screenshotFields = {
  format: z.enum(['png', 'jpeg', 'webp']).default('png').meta({ description: 'The format of the picture.' }),
  quality: z.int().min(1).max(100).optional().meta({ description: 'Quality of a jpeg or webp; 80 if not given.' }),
  full_page: z.boolean().default(false).meta({ description: 'The whole page rather than the viewport.' }),
};

/** Options that exclude each other. */
function checkScreenshot(options: { format: string; quality?: number | undefined }, context: z.RefinementCtx): void {
  if (options.quality !== undefined && options.format === 'png') {
    context.addIssue({ code: 'custom', path: ['quality'], message: 'is not an option of png' });
  }
}

/** A screenshot by itself. */
export const screenshotRequest = z
  .strictObject({ ...loading, ...screenshotFields, ...keeping, ...answering })
  .superRefine(checkScreenshot);

/** A screenshot as an item of a batch. */
export const screenshotItem = z
  .strictObject({ ...loading, ...screenshotFields, ...keeping })
  .superRefine(checkScreenshot);

/** What a client may write. */
export type ScreenshotRequestInput = z.input<typeof screenshotRequest>;

/** The same with every default filled in. */
export type ScreenshotRequest = z.output<typeof screenshotRequest>;

/** Options that say nothing of how the picture looks. */
export const notOfThePicture: ReadonlySet<string> = new Set([...Object.keys(keeping), ...Object.keys(answering)]);

/** The quality of a jpeg or webp for which none was asked. */
export const defaultQuality = 80;
