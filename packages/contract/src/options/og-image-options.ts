import { z } from 'zod';
import { type AddFault, checkPage, fillPage, refuse } from './fill-page.ts';
import { checkImage, imageFields, qualityOf } from './image-options.ts';
import { pageFields, userAgentField } from './page-options.ts';
import { keepingFields, respondingFields } from './request-options.ts';

/** What social networks show beside a link, pixels. */
export const ogImageSize = { width: 1_200, height: 630 } as const;

const fields = {
  ...pageFields,
  ...userAgentField,
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

type Given = z.output<z.ZodObject<typeof fields>>;

function check(given: Given, fault: AddFault): void {
  checkPage(given, fault);
  checkImage(given, fault);
  if (given.template === 'card') return;
  for (const name of ['title', 'description', 'theme'] as const) {
    if (given[name] !== undefined) fault(name, 'requires template=card');
  }
}

function fill<Asked extends Given>(given: Asked) {
  const { user_agent, theme = 'auto' } = given;
  const viewport = {
    ...ogImageSize,
    device_scale_factor: 1,
    is_mobile: false,
    has_touch: false,
    is_landscape: false,
    ...(user_agent !== undefined && { user_agent }),
  };
  return { ...given, ...fillPage(given, viewport, { scroll: false, media: 'screen' }), ...qualityOf(given), theme };
}

/** An OG image as an item of a batch. */
export const ogImageItem = z
  .strictObject({ ...fields, ...keepingFields })
  .superRefine(refuse(check))
  .transform(fill);

/** An OG image by itself. */
export const ogImageRequest = z
  .strictObject({ ...fields, ...keepingFields, ...respondingFields })
  .superRefine(refuse(check))
  .transform(fill);

/** What a client may write. */
export type OgImageRequestInput = z.input<typeof ogImageRequest>;

/** The same with every default filled in; its viewport is that of an OG image. */
export type OgImageRequest = z.output<typeof ogImageRequest>;
