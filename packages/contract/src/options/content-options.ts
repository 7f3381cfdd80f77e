import { z } from 'zod';
import { extractField } from './extract-options.ts';
import { type AddFault, checkPage, fillPage, refuse, viewportOf } from './fill-page.ts';
import { pageFields, selector, userAgentField, viewportFields } from './page-options.ts';
import { keepingFields, respondingFields } from './request-options.ts';

const selectors = z.array(selector).max(50).default([]);

const fields = {
  ...pageFields,
  ...viewportFields,
  ...userAgentField,
  block_resources: pageFields.block_resources
    .unwrap()
    .default(['image', 'media', 'font'])
    .meta({
      description: 'Types of resources to block. Reading a page needs no images; with `[]` everything is loaded.',
      example: ['image', 'media', 'font', 'websocket'],
    }),
  format: z.enum(['markdown', 'text', 'html', 'metadata', 'links']).default('markdown').meta({
    description:
      'What to read: `markdown`, `text` or `html` of the content; `metadata`: title, description, language, Open Graph, JSON-LD and more, as JSON; `links`: the links of the content, as JSON.',
    example: 'text',
  }),
  only_main_content: z.boolean().default(true).meta({
    description:
      'Leave out what surrounds the content: navigation, headers, footers, side bars, dialogs. With `false`, the full page.',
    example: false,
  }),
  include_selectors: selectors.meta({
    description:
      'Up to 50 CSS selectors of the elements to read, instead of the main content; at least one of them must match.',
    example: ['article', '.comments'],
  }),
  exclude_selectors: selectors.meta({
    description: 'Up to 50 CSS selectors of elements to leave out; they may match nothing.',
    example: ['.related', 'footer'],
  }),
  extract: z
    .record(z.string().min(1).max(100), extractField)
    .refine((given) => Object.keys(given).length <= 50, { error: 'must have at most 50 fields' })
    .optional()
    .meta({
      description:
        'Values to read from elements of the page, by names of your own. They come back as `extracted` in the record; what cannot be read is null there, and explained in `extract_errors`.',
      example: { price: { selector: '.price', type: 'number' } },
    }),
};

type Given = z.output<z.ZodObject<typeof fields>>;

function check(given: Given, fault: AddFault): void {
  checkPage(given, fault);
}

function fill<Asked extends Given>(given: Asked) {
  return { ...given, ...fillPage(given, viewportOf(given), { scroll: false, media: 'screen' }) };
}

/** The content of a page as an item of a batch. */
export const contentItem = z
  .strictObject({ ...fields, ...keepingFields })
  .superRefine(refuse(check))
  .transform(fill);

/** The content of a page by itself. */
export const contentRequest = z
  .strictObject({ ...fields, ...keepingFields, ...respondingFields })
  .superRefine(refuse(check))
  .transform(fill);

/** What a client may write. */
export type ContentRequestInput = z.input<typeof contentRequest>;

/** The same with every default filled in. */
export type ContentRequest = z.output<typeof contentRequest>;

/** The formats of content. */
export type ContentFormat = ContentRequest['format'];
