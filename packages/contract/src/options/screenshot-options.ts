import { z } from 'zod';
import { type AddFault, checkPage, fillPage, refuse, viewportOf } from './fill-page.ts';
import { checkImage, imageFields, qualityOf } from './image-options.ts';
import { pageFields, selector, userAgentField, viewportFields } from './page-options.ts';
import { keepingFields, respondingFields } from './request-options.ts';

const resized = z.int().min(1).max(7_680).optional();

/** Larger than any output that is allowed, CSS pixels. */
const furthest = 100_000;

const fields = {
  ...pageFields,
  ...viewportFields,
  ...userAgentField,
  ...imageFields,
  full_page: z.boolean().default(false).meta({
    description: 'The full page instead of the viewport.',
    example: true,
  }),
  selector: selector.optional().meta({
    description: 'The first element that matches this CSS selector, instead of the viewport.',
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

type Given = z.output<z.ZodObject<typeof fields>>;

function check(given: Given, fault: AddFault): void {
  checkPage(given, fault);
  checkImage(given, fault);
  const parts = (['full_page', 'selector', 'clip'] as const).filter((name) => given[name]);
  for (const name of parts.slice(1)) fault(name, `cannot be combined with ${parts[0]}`);
  if (given.omit_background && given.format === 'jpeg') fault('omit_background', 'is not an option of jpeg');
}

function fill<Asked extends Given>(given: Asked) {
  const page = fillPage(given, viewportOf(given), { scroll: given.full_page, media: 'screen' });
  return { ...given, ...page, ...qualityOf(given) };
}

/** A screenshot as an item of a batch. */
export const screenshotItem = z
  .strictObject({ ...fields, ...keepingFields })
  .superRefine(refuse(check))
  .transform(fill);

/** A screenshot by itself. */
export const screenshotRequest = z
  .strictObject({ ...fields, ...keepingFields, ...respondingFields })
  .superRefine(refuse(check))
  .transform(fill);

/** What a client may write. */
export type ScreenshotRequestInput = z.input<typeof screenshotRequest>;

/** The same with every default filled in. */
export type ScreenshotRequest = z.output<typeof screenshotRequest>;
