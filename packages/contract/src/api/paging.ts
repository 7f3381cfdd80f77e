import { z } from 'zod';
import { captureTypes } from '../events/events.ts';
import { captureStatuses } from './responses.ts';

/** The ids that a list is ordered by. */
export type ListedPrefix = 'req' | 'batch' | 'wh' | 'dlv' | 'acc' | 'key';

/** How every list is read: newest first, `limit` rows, from after the row whose id is `cursor`. */
export const pageRequest = (prefix: ListedPrefix) =>
  z.strictObject({
    limit: z.int().min(1).max(100).default(20),
    // Any other text would compare as before or after all ids: an empty list, or the first page again.
    cursor: z
      .string()
      .regex(new RegExp(`^${prefix}_[0-9a-z]{26}$`), 'is not a valid cursor')
      .optional(),
  });

/** Which captures a list shows. */
export const captureFilter = pageRequest('req').extend({
  status: z.enum(captureStatuses).optional(),
  type: z.enum(captureTypes).optional(),
  batch_id: z.string().max(200).optional(),
});
