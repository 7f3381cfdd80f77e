import { z } from 'zod';

/** How every list is read: newest first, `limit` rows, from after the row that `cursor` names. */
export const pageRequest = z.strictObject({
  limit: z.int().min(1).max(100).default(20),
  cursor: z.string().max(200).optional(),
});
