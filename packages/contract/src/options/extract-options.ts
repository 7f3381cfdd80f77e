import { z } from 'zod';
import { selector } from './page-options.ts';

const plainFields = {
  selector: selector.meta({ description: 'The element; within the outer element for a nested field.' }),
  attribute: z.string().min(1).max(100).optional().meta({ description: 'Its attribute, instead of its text.' }),
  type: z.enum(['text', 'number', 'boolean', 'url', 'html', 'date']).optional().meta({
    description:
      '`text` (the default; without scripts), `number` (`12.000` as the language of the element writes it), `boolean` (whether there is such an element or attribute), `url` (absolute; of an attribute, or an absolute URL as text), `html` (what is inside of the element) or `date` (ISO 8601).',
  }),
  all: z.boolean().default(false).meta({ description: 'A list of all matches, up to 1,000, instead of the first.' }),
};

function nested<Field extends z.ZodType>(field: Field) {
  return z
    .strictObject({
      ...plainFields,
      fields: z
        .record(z.string().min(1).max(100), field)
        .refine((given) => Object.keys(given).length <= 50, { error: 'must have at most 50 fields' })
        .optional()
        .meta({ description: 'Fields of the element: the value is an object of them. Up to three levels.' }),
    })
    .refine(({ fields, attribute, type }) => !fields || (attribute === undefined && type === undefined), {
      error: 'cannot combine fields with attribute or type',
    });
}

/** A value to read from a page. Fields nest up to three levels, so that a query and a document can spell them. */
export const extractField = nested(nested(z.strictObject(plainFields)));

/** The result of `extract`. */
export interface Extraction {
  values: Record<string, unknown>;
  /** Why values are null, by their paths: `price`, `items.3.price`. */
  errors: Record<string, string>;
}

/** A field as the page's script reads it. */
export interface ExtractField {
  selector: string;
  attribute?: string | undefined;
  type?: 'text' | 'number' | 'boolean' | 'url' | 'html' | 'date' | undefined;
  all: boolean;
  fields?: Record<string, ExtractField> | undefined;
}
