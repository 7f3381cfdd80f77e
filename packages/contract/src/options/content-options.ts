import { z } from 'zod';
import { selectionFields } from './content-fields.ts';
import { extractField } from './extract-options.ts';
import { type AddFault, checkPage, filledWith, fillPage, refuse, resolveViewport } from './fill-page.ts';
import { checkOutputs, fillOutputs, type OfCapture, outputsField, showsFullPage, showsImages } from './outputs.ts';
import { pageFields, userAgentField, viewportFields } from './page-options.ts';
import { keepingFields, respondingFields } from './request-options.ts';

/** The resources that reading a page does not need. */
const unneeded: ('image' | 'media' | 'font')[] = ['image', 'media', 'font'];

const fields = {
  ...pageFields,
  ...viewportFields,
  ...userAgentField,
  block_resources: pageFields.block_resources
    .unwrap()
    .optional()
    .meta({
      description:
        'Types of resources to block. Reading a page needs no images; with `[]`, or `outputs` that show images, everything is loaded.',
      default: unneeded,
      example: ['image', 'media', 'font', 'websocket'],
    }),
  format: z.enum(['markdown', 'text', 'html', 'metadata', 'links']).default('markdown').meta({
    description:
      'What to read: `markdown`, `text` or `html` of the content; `metadata`: title, description, language, Open Graph, JSON-LD and more, as JSON; `links`: the links of the content, as JSON.',
    example: 'text',
  }),
  ...selectionFields,
  ...outputsField,
  extract: z
    .record(z.string().min(1).max(100), extractField)
    .refine((given) => Object.keys(given).length <= 50, { error: 'must have at most 50 fields' })
    .optional()
    .meta({
      description:
        'Values to read from elements of the page, by names of your own. They come back as `extracted` in the record; what cannot be read is null there, and explained in `extract_errors`. Shadow roots and frames are not searched.',
      example: { price: { selector: '.price', type: 'number' } },
    }),
};

type Given = z.output<z.ZodObject<typeof fields>>;

/** Blocks the resources that the capture does not need, unless the client chose the blocked resources. */
function withBlockedResources<Asked extends Given>(given: Asked) {
  return { ...given, block_resources: given.block_resources ?? (showsImages(given) ? [] : unneeded) };
}

function ofCapture(given: Given): OfCapture {
  const { dark_mode, media } = given;
  return { ...resolveViewport(given), dark_mode, media, ownName: given.format, grows: false };
}

function check(given: Given, fault: AddFault): void {
  checkPage(withBlockedResources(given), fault);
  checkOutputs(given, () => ofCapture(given), fault);
}

function fill<Asked extends Given>(given: Asked) {
  const viewport = resolveViewport(given);
  const asked = withBlockedResources(given);
  const page = fillPage(asked, { scroll: showsFullPage(given), media: 'screen' });
  const outputs = fillOutputs(given, () => ofCapture(given));
  return filledWith(asked, viewport, page, { outputs });
}

export const contentItem = z
  .strictObject({ ...fields, ...keepingFields })
  .superRefine(refuse(check))
  .transform(fill);

export const contentRequest = z
  .strictObject({ ...fields, ...keepingFields, ...respondingFields })
  .superRefine(refuse(check))
  .transform(fill);

/** A request as a client may write it. */
export type ContentRequestInput = z.input<typeof contentRequest>;

/** A request with every default filled in. */
export type ContentRequest = z.output<typeof contentRequest>;

export type ContentFormat = ContentRequest['format'];
