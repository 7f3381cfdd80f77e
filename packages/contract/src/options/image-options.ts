import { z } from 'zod';
import type { AddFault } from './fill-page.ts';
import { selector } from './page-options.ts';

export const defaultQuality = 80;

/** The options of image captures. */
export const imageFields = {
  format: z.enum(['png', 'jpeg', 'webp']).default('png').meta({
    description: 'The image format.',
    example: 'webp',
  }),
  quality: z.int().min(1).max(100).optional().meta({
    description: 'Quality of a jpeg or webp; not allowed for png.',
    unit: 'percent',
    default: defaultQuality,
    example: 90,
  }),
};

type ImageGiven = z.output<z.ZodObject<typeof imageFields>>;

export function checkImage({ format, quality }: ImageGiven, fault: AddFault): void {
  if (quality !== undefined && format === 'png') fault('quality', 'is not an option of png');
}

/** The requested quality; none for a png. */
export function resolveQuality({ format, quality = defaultQuality }: ImageGiven): { quality?: number } {
  return format === 'png' ? {} : { quality };
}

const resized = z.int().min(1).max(7_680).optional();

/** Larger than any allowed output, CSS pixels. */
const furthest = 100_000;

/** The options of a screenshot, in addition to the options of its page. */
export const screenshotFields = {
  ...imageFields,
  full_page: z.boolean().default(false).meta({
    description: 'The full page instead of the viewport.',
    example: true,
  }),
  selector: selector.optional().meta({
    description: 'The first visible element that matches this CSS selector, instead of the viewport.',
    example: '#chart',
  }),
  clip: z
    .strictObject({
      x: z.number().min(0).max(furthest),
      y: z.number().min(0).max(furthest),
      width: z.number().min(1).max(furthest),
      height: z.number().min(1).max(furthest),
    })
    .optional()
    .meta({
      description: 'A rectangle of the page, from its upper left corner, instead of the viewport.',
      unit: 'CSS pixels',
      example: { x: 0, y: 100, width: 640, height: 480 },
    }),
  omit_background: z.boolean().default(false).meta({
    description: 'Transparent where the page has no background; png and webp only.',
    example: true,
  }),
  resize_width: resized.meta({
    description:
      'Resize the image to this width: alone it keeps the aspect ratio, with `resize_height` the image covers the size and is cropped.',
    unit: 'pixels',
    example: 640,
  }),
  resize_height: resized.meta({
    description:
      'Resize the image to this height: alone it keeps the aspect ratio, with `resize_width` the image covers the size and is cropped.',
    unit: 'pixels',
    example: 360,
  }),
};

export function checkScreenshotFields(given: z.output<z.ZodObject<typeof screenshotFields>>, fault: AddFault): void {
  checkImage(given, fault);
  const parts = (['full_page', 'selector', 'clip'] as const).filter((name) => given[name]);
  for (const name of parts.slice(1)) fault(name, `cannot be combined with ${parts[0]}`);
  if (given.omit_background && given.format === 'jpeg') fault('omit_background', 'is not an option of jpeg');
}

/** The size of the images that social networks show next to a link, pixels. */
export const ogImageSize = { width: 1_200, height: 630 } as const;

/** The options of an OG image, in addition to the options of its page. */
export const cardFields = {
  ...imageFields,
  template: z.enum(['page', 'card']).default('page').meta({
    description:
      '`page`: the page at 1200×630. `card`: drawn from the page’s title, description, site name, image and colour.',
    example: 'card',
  }),
  title: z.string().min(1).max(1_000).optional().meta({
    description: 'Title of the card, instead of the page’s own.',
    example: 'How we draw a million pages',
  }),
  description: z.string().max(5_000).optional().meta({
    description: 'Description on the card, instead of the page’s own.',
    example: 'A year of captures in numbers.',
  }),
  theme: z.enum(['light', 'dark', 'auto']).optional().meta({
    description: 'The colours of the card; `auto` follows the page.',
    default: 'auto',
    example: 'dark',
  }),
};

export function checkCard(given: z.output<z.ZodObject<typeof cardFields>>, fault: AddFault): void {
  checkImage(given, fault);
  if (given.template === 'card') return;
  for (const name of ['title', 'description', 'theme'] as const) {
    if (given[name] !== undefined) fault(name, 'requires template=card');
  }
}
