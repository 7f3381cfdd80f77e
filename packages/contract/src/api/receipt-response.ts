import { z } from 'zod';
import type { Receipt } from './receipt.ts';

const milliseconds = z.number().min(0).meta({ unit: 'milliseconds' });
const count = z.int().min(0);

/** The receipt of a capture, as the document shows it. */
export const receiptResponse = z.strictObject({
  final_url: z.string().nullable().meta({ description: 'Of the page that was drawn, without query and fragment.' }),
  redirects: z.array(z.string()).meta({ description: 'The addresses on the way there that redirected.' }),
  http_status: z.int().nullable(),
  title: z.string().nullable(),
  timings: z
    .strictObject({
      queue_ms: milliseconds.meta({ description: 'From being accepted until a worker took it.' }),
      navigation_ms: milliseconds.nullable().meta({ description: 'Until the first bytes of the page had come.' }),
      waiting_ms: milliseconds.nullable().meta({ description: 'Until the page was ready, as `wait_until` says.' }),
      acting_ms: milliseconds.nullable().meta({ description: 'For what was done to the page.' }),
      capture_ms: milliseconds.nullable().meta({ description: 'Drawing.' }),
      storing_ms: milliseconds,
    })
    .meta({ description: 'What each phase took; null for one that was not come to.' }),
  wait: z.string().nullable().meta({ description: 'What the waiting ended on.', example: 'quiet' }),
  tries: count.meta({ description: 'More than 1 where the browser let the capture down and it was made anew.' }),
  requests: z.strictObject({
    total: count,
    failed: count.meta({ description: 'Without an answer, or with one of a status from 400 on.' }),
    blocked: count.meta({ description: 'Not let through.' }),
    bytes: count.meta({ unit: 'bytes' }),
    failures: z.array(z.strictObject({ url: z.string(), reason: z.string() })),
  }),
  console_errors: z.array(z.string()),
  script_error: z.string().nullable().meta({ description: 'Why the script given as `js` failed.' }),
  ads: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: 'What `block_ads` did, and with which lists.' }),
  cookie_banner: z.record(z.string(), z.unknown()).nullable().meta({ description: 'What `block_cookie_banners` did.' }),
}) satisfies z.ZodType<Receipt>;
