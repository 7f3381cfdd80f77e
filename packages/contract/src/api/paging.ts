import { z } from 'zod';
import { captureTypes } from '../events/events.ts';
import { captureStatuses } from './responses.ts';

/** The prefixes of the ids by which lists are ordered. */
export type ListedPrefix = 'req' | 'batch' | 'wh' | 'dlv' | 'acc' | 'key' | 'pre';

/** The part of an id after its prefix. */
const idText = '[0-9a-z]{26}';

const listed = { batch: 'a batch', wh: 'an endpoint', acc: 'an account' };

/** Accepts an id as a filter. Without this check any other text would find nothing, as if there were no rows. */
export function idFilter(prefix: keyof typeof listed) {
  const example = `${prefix}_01kaek2v2gf3d9w8q0x5m7r4tz`;
  return z
    .string()
    .regex(new RegExp(`^${prefix}_${idText}$`), `must be the id of ${listed[prefix]}, such as ${example}`)
    .meta({ description: `The id of ${listed[prefix]}.`, example });
}

/** The most rows of a page of any list. */
export const pageRowsAtMost = 100;

/** The query of every list: newest first, `limit` rows, starting after the row whose id is `cursor`. */
export const pageRequest = (prefix: ListedPrefix) =>
  z.strictObject({
    limit: z.int().min(1).max(pageRowsAtMost).default(20),
    // Any other text would sort before or after all ids, so the list would be empty or show the first page again.
    cursor: z
      .string()
      .regex(new RegExp(`^${prefix}_${idText}$`), 'is not a next_cursor of this list')
      .optional(),
  });

const momentFault =
  'must be an ISO 8601 time with Z or an offset, such as 2026-11-20T10:00:00Z (write %2B for a + in a query)';

export const moment = z.iso
  .datetime({ offset: true, error: ({ code }) => (code === 'invalid_format' ? momentFault : undefined) })
  .transform((text) => new Date(text))
  .meta({ description: 'ISO 8601, with Z or an offset.', example: '2026-11-20T10:00:00Z' });

/** Refuses a period that ends before it begins. */
export function checkOrder(
  span: { since?: Date | undefined; until?: Date | undefined },
  context: z.RefinementCtx,
): void {
  if (span.since && span.until && span.until <= span.since) {
    context.addIssue({ code: 'custom', path: ['until'], message: 'must be later than since' });
  }
}

const filterFields = {
  ...pageRequest('req').shape,
  status: z.enum(captureStatuses).optional(),
  type: z.enum(captureTypes).optional().meta({
    description:
      'One request searches 10,000 captures: a page may be short or empty, and `next_cursor` continues the search.',
  }),
  url: z.string().trim().min(1).max(500).optional().meta({
    description:
      'Part of the URL, in upper or lower case. One request searches 10,000 captures: a page may be short or empty, and `next_cursor` continues the search.',
    example: 'example.com/pricing',
  }),
  since: moment.optional(),
  until: moment.optional(),
};

/** The filters of a list of captures, which includes `since` and excludes `until`. */
export const captureFilter = z
  .strictObject({ ...filterFields, batch_id: idFilter('batch').optional() })
  .superRefine(checkOrder);

export const operatorCaptureFilter = z
  .strictObject({ ...filterFields, account_id: idFilter('acc').optional() })
  .superRefine(checkOrder);
