import { z } from 'zod';
import { absoluteUrl } from '../absolute-url.ts';
import { didYouMean } from '../did-you-mean.ts';
import { qualityReasonNames } from '../quality.ts';
import { deviceNames, findDevice } from './devices.ts';
import { isolationLevels } from './isolation.ts';
import { placeFields } from './place-options.ts';
import { headerText, secretOptionFields } from './secret-options.ts';

/**
 * The options that captures of all kinds share, each declared once with its form, range, default, unit and description. Queries,
 * JSON bodies, batch items and the OpenAPI document use these declarations. A default that depends on other options is only in
 * `meta`, and `fill-page.ts` fills it in.
 */

/** A text of at most this many kB of UTF-8. */
export function textOfAtMost(kilobytes: number) {
  const said = kilobytes < 1_024 ? `${kilobytes} kB` : `${kilobytes / 1_024} MB`;
  return z
    .string()
    .refine((text) => Buffer.byteLength(text) <= kilobytes * 1_024, { error: `must be at most ${said}` });
}

/** No selector that a person or a tool writes has more characters. */
const longestSelector = 10_000;

export const selector = z.string().min(1).max(longestSelector);

const selectors = z.array(selector).max(50).default([]);

/** The options that define the page and when it is ready. */
const loadingFields = {
  url: absoluteUrl('http:', 'https:').optional().meta({
    description: 'The page to capture.',
    example: 'https://example.com/',
  }),
  html: textOfAtMost(2_048).optional().meta({
    description: 'Your own page instead of `url`, up to 2 MB; only in a POST. It is deleted when the capture ends.',
    example: '<h1>Hello</h1>',
  }),
  wait_until: z.enum(['auto', 'load', 'domcontentloaded', 'networkidle']).default('auto').meta({
    description:
      'When the page counts as ready: `auto` waits for what a visitor would wait for (content in view, fonts, data, motion that ends), each with a limit.',
    example: 'load',
  }),
  wait_for_selector: selector.optional().meta({
    description: 'A CSS selector that must match an element before the capture.',
    example: '#chart svg',
  }),
  delay_ms: z.int().min(0).max(30_000).default(0).meta({
    description: 'Extra delay after the page is ready.',
    unit: 'milliseconds',
    example: 500,
  }),
  timeout_ms: z.int().min(1_000).max(120_000).default(30_000).meta({
    description:
      'Time limit of the capture, from when a worker takes it. A missing selector then fails with `SELECTOR_NOT_FOUND`, anything else with `CAPTURE_TIMEOUT`.',
    unit: 'milliseconds',
    example: 60_000,
  }),
  fail_on_status: z
    .array(
      z.union(
        [
          z.int().min(100).max(599),
          z.string().regex(/^[1-5]xx$/, { error: 'must be a status from 100 to 599, or a class such as 5xx' }),
        ],
        {
          error: 'must be a status from 100 to 599, or a class such as 5xx',
        },
      ),
    )
    .max(50)
    .default([])
    .meta({
      description: 'HTTP statuses (100 to 599) or classes of them that make the capture fail with `HTTP_STATUS`.',
      example: [404, '5xx'],
    }),
  fail_on: z
    .array(z.enum(qualityReasonNames))
    .max(50)
    .default([])
    .meta({
      description:
        'Reasons of `quality` that make the capture fail with `QUALITY_REJECTED`, free of charge, instead of completing with it.',
      example: ['blank', 'challenge'],
    }),
  accept_truncated: z.boolean().default(false).meta({
    description:
      'Capture a page whose connection ended in the middle, with the `quality` reason `truncated`. By default this is a failed navigation.',
    example: true,
  }),
};

/** The options that change the page before it is captured. */
const changingFields = {
  scroll: z.boolean().optional().meta({
    description:
      'Scroll through the page first, so that lazy content loads. On by default with `full_page` and `single_page`.',
    default: false,
    example: true,
  }),
  click: z
    .union([selector, z.array(selector).max(10)], { error: 'must be a CSS selector, or an array of up to 10 of them' })
    .optional()
    .meta({
      description:
        'Elements to click after load: a CSS selector, or up to 10 in order. A string is always one selector, even with commas.',
      example: ['#menu', '#menu .open'],
    }),
  hide_selectors: selectors.meta({
    description: 'Up to 50 CSS selectors of elements to make invisible, keeping their space; they may match nothing.',
    example: ['.chat', '#newsletter'],
  }),
  remove_selectors: selectors.meta({
    description: 'Up to 50 CSS selectors of elements to remove from the page; they may match nothing.',
    example: ['.advert'],
  }),
  css: textOfAtMost(100).optional().meta({
    description: 'A style sheet applied after load, up to 100 kB.',
    example: 'body { background: white }',
  }),
  js: textOfAtMost(100).optional().meta({
    description: 'A script run in the page after load, up to 100 kB.',
    example: "document.querySelector('details').open = true",
  }),
};

const blockableResources = [
  'image',
  'media',
  'font',
  'stylesheet',
  'script',
  'xhr',
  'fetch',
  'websocket',
  'other',
] as const;

/** The options that define the visitor that the page sees. */
const visitingFields = {
  ...secretOptionFields,
  ...placeFields,
  dark_mode: z.boolean().default(false).meta({
    description: 'Prefer a dark colour scheme.',
    example: true,
  }),
  reduced_motion: z.boolean().default(false).meta({
    description: 'Prefer reduced motion.',
    example: true,
  }),
  media: z.enum(['screen', 'print']).optional().meta({
    description: 'The CSS media type: default `print` for a PDF, otherwise `screen`.',
    default: 'screen',
    example: 'print',
  }),
  block_ads: z.boolean().default(false).meta({
    description: 'Block advertisements and trackers.',
    example: true,
  }),
  block_cookie_banners: z.boolean().default(false).meta({
    description: 'Reject or hide cookie banners.',
    example: true,
  }),
  block_resources: z
    .array(z.enum(blockableResources))
    .max(50)
    .default([])
    .meta({
      description: 'Types of resources to block.',
      example: ['media', 'font'],
    }),
  isolation: z
    .enum(['auto', ...isolationLevels])
    .default('auto')
    .meta({
      description:
        'What this capture shares with others of your account; it shares nothing with those of other accounts. `account`: a cleared page of an earlier one; sites may share a process. `site`: a cleared page of an earlier one of the same site. `strict`: nothing. `auto`: `strict` with cookies, headers, authentication, scripts, clicks or a geolocation, `site` for `html`, otherwise `account` unless the operator has chosen `site`.',
      example: 'strict',
    }),
};

/** The options of all kinds, including OG images. */
export const pageFields = { ...loadingFields, ...changingFields, ...visitingFields };

/** The options of the viewport and the user agent, which a device sets together. Every kind without a fixed size has them. */
export const viewportFields = {
  width: z.int().min(16).max(7_680).optional().meta({
    description: 'Width of the viewport.',
    unit: 'CSS pixels',
    default: 1_280,
    example: 1_440,
  }),
  height: z.int().min(16).max(4_320).optional().meta({
    description: 'Height of the viewport.',
    unit: 'CSS pixels',
    default: 720,
    example: 900,
  }),
  device_scale_factor: z.number().min(0.5).max(4).optional().meta({
    description: 'Device pixels per CSS pixel: 2 doubles the width and height of the image.',
    unit: 'device pixels in a CSS pixel',
    default: 1,
    example: 2,
  }),
  device: z
    .string()
    .max(100)
    .refine((name) => findDevice(name) !== undefined, {
      error: ({ input }) =>
        `must be a device that Puppeteer knows, such as iPhone 15 Pro or iPad landscape${didYouMean(String(input), deviceNames)}`,
    })
    .overwrite((name) => findDevice(name)?.name ?? name)
    .optional()
    .meta({
      description:
        'A Puppeteer device name, in any case. Sets viewport, scale, touch, user agent and `navigator.platform`, and cannot be combined with those options.',
      example: 'iPhone 15 Pro',
    }),
};

export const userAgentField = {
  user_agent: headerText(1_024).min(1).optional().meta({
    description: 'User agent: sets the `User-Agent` header and `navigator.userAgent`.',
    example: 'Mozilla/5.0 (compatible; ExampleBot/1.0)',
  }),
};
