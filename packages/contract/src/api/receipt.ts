import { z } from 'zod';
import { isolationLevels } from '../options/isolation.ts';
import { quality } from '../quality.ts';

const milliseconds = z.number().min(0).meta({ unit: 'milliseconds' });
const count = z.int().min(0);

/** How the browser can fail a try. These words are fixed, because the browser's text may contain parts of another account's page. */
export const browserFailures = ['ended', 'crashed', 'hung', 'unavailable'] as const;

export type BrowserFailure = (typeof browserFailures)[number];

/** The limits at which the network of a page is cut off. */
export const networkLimits = ['requests', 'connections', 'bytes'] as const;

export type NetworkLimit = (typeof networkLimits)[number];

/**
 * How a capture proceeded, whether it succeeded or failed. URLs are without query and fragment, which often contain secrets.
 * Lists and texts are cut where a page could make them grow without limit.
 */
export const receipt = z.strictObject({
  final_url: z.string().nullable().meta({ description: 'URL of the captured page, without query and fragment.' }),
  redirects: z.array(z.string()).meta({ description: 'The URLs that redirected to it.' }),
  /** Null if the page had no HTTP response. */
  http_status: z.int().nullable(),
  title: z.string().nullable(),
  timings: z
    .strictObject({
      queue_ms: milliseconds.meta({ description: 'From acceptance until a worker started the capture.' }),
      /** Null in receipts from before this was recorded, like the next field. */
      browser_ms: milliseconds.nullable().meta({ description: 'Waiting for a browser.' }),
      other_tries_ms: milliseconds.nullable().meta({
        description: 'Tries whose result was not used, and the pauses between tries; 0 if there were none.',
      }),
      navigation_ms: milliseconds.nullable().meta({ description: 'Until the first bytes of the page arrived.' }),
      waiting_ms: milliseconds.nullable().meta({ description: 'Until the page was ready, as `wait_until` says.' }),
      /** The time for selectors, scripts, clicks, `delay_ms` and scrolling. */
      acting_ms: milliseconds.nullable().meta({ description: 'Acting on the page: scripts, clicks, scrolling.' }),
      capture_ms: milliseconds.nullable().meta({ description: 'Rendering.' }),
      storing_ms: milliseconds,
    })
    .meta({
      description:
        'Duration of each phase of the try whose result was used, on the first visit; null for a phase that was not reached.',
    }),
  wait: z
    .string()
    .nullable()
    .meta({ description: 'What ended the wait: `quiet`, `load`, `stalled` and others.', example: 'quiet' }),
  quality: quality
    .nullable()
    .meta({ description: 'Whether the capture shows the page; null if nothing was rendered.' }),
  navigations: count.meta({
    description: 'Visits to the page: more than 1 if `outputs` needed another device or viewport.',
  }),
  tries: count.meta({ description: 'More than 1 if the browser failed, or the first result was worth a second try.' }),
  isolation: z
    .enum(isolationLevels)
    .nullable()
    .meta({ description: 'The level at which the capture ran, see the option; null if it had no page.' }),
  browser_failures: z.array(z.enum(browserFailures)).meta({
    description:
      'Why tries failed because of the browser, in order. `ended`: the browser ended, or was replaced because a page blocked it, which need not be this one. `crashed`: the page crashed, or exceeded a limit such as memory. `hung`: the browser took too long. `unavailable`: there was no browser for a moment, which does not count in `tries`.',
  }),
  requests: z.strictObject({
    total: count,
    failed: count.meta({ description: 'Without a response, or with a status of 400 or above.' }),
    blocked: count.meta({ description: 'Blocked: ads, `block_resources`, addresses that captures may not reach.' }),
    /** The bytes received over the network. */
    bytes: count.meta({ unit: 'bytes' }),
    cut_off: z.enum(networkLimits).nullable().meta({
      description:
        'The limit that the page reached, after which it loaded nothing more; null if it reached none. After `requests`, later requests are not counted, and `failed` counts only a few of those that were cut off.',
    }),
    /** The first 50 failed requests with their reasons, then requests still in flight (`pending`). */
    failures: z.array(z.strictObject({ url: z.string(), reason: z.string() })),
  }),
  dialogs: count.meta({
    description:
      'Dialogs that the page opened, such as `alert` and `confirm`. They were dismissed; `beforeunload` is accepted.',
  }),
  /** The first errors that the page wrote to its console or did not catch. */
  console_errors: z.array(z.string()),
  script_error: z.string().nullable().meta({ description: 'Why the script given as `js` failed.' }),
  ads: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: 'What `block_ads` did, and with which lists; null if it was off.' }),
  cookie_banner: z.record(z.string(), z.unknown()).nullable().meta({
    description:
      'What `block_cookie_banners` did; null if it was off. `result` is `none`, `opted_out`, `hidden`, `failed` or `unfinished`; `hidden` lists what was hidden, like selectors.',
  }),
});

export type Receipt = z.output<typeof receipt>;
