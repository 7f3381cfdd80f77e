import { z } from 'zod';
import { selector } from './page-options.ts';

const selectors = z.array(selector).max(50).default([]);

/** The options that select the content of a page. */
export const selectionFields = {
  only_main_content: z.boolean().default(true).meta({
    description:
      'Leave out what surrounds the content: navigation, headers, footers, side bars, dialogs, unless the page has nothing else. With `false`, the full page.',
    example: false,
  }),
  include_selectors: selectors.meta({
    description:
      'Up to 50 CSS selectors of the elements to read, instead of the main content; at least one of them must match. One that is not valid fails with `SELECTOR_NOT_FOUND`.',
    example: ['article', '.comments'],
  }),
  exclude_selectors: selectors.meta({
    description:
      'Up to 50 CSS selectors of elements to leave out; they may match nothing. One that is not valid fails with `SELECTOR_NOT_FOUND`.',
    example: ['.related', 'footer'],
  }),
};
