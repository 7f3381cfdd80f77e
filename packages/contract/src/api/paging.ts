import { z } from 'zod';
import { captureTypes } from '../events/events.ts';
import { captureStatuses } from './responses.ts';

/** How every list is read: newest first, `limit` rows, from after the row that `cursor` names. */
export const pageRequest = z.strictObject({
  limit: z.int().min(1).max(100).default(20),
  cursor: z.string().max(200).optional(),
});

/** Which captures a list shows. */
export const captureFilter = pageRequest.extend({
  status: z.enum(captureStatuses).optional(),
  type: z.enum(captureTypes).optional(),
  batch_id: z.string().max(200).optional(),
});
