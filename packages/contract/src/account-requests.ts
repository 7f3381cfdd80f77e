import { z } from 'zod';

/** The bodies of registration, keys and the operator's account routes. */

export const registrationRequest = z.strictObject({
  // Compared without case: what differs only by case is one mailbox everywhere that matters.
  email: z
    .string()
    .trim()
    .toLowerCase()
    .max(254)
    .pipe(z.email({ error: 'must be an e-mail address' }))
    .meta({ description: 'The address that the key belongs to.', example: 'ada@example.com' }),
});

export const newKeyRequest = z.strictObject({
  name: z.string().trim().min(1).max(100).optional().meta({ description: 'What the key is for.', example: 'CI' }),
});

/** Seven days: the longest that two keys of one rotation may be valid side by side. */
const longestOverlapS = 604_800;

export const rotateKeyRequest = z.strictObject({
  overlap_s: z.int().min(0).max(longestOverlapS).default(0).meta({
    description: 'How long the former key stays valid.',
    unit: 'seconds',
  }),
});

export const accountChange = z.strictObject({
  plan: z.string().optional(),
  status: z.enum(['active', 'suspended']).optional(),
});
