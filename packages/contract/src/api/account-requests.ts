import { z } from 'zod';
import { pageRequest } from './paging.ts';

/** The bodies of registration, keys and the operator's account routes. */

// The address is compared in lower case, because no relevant mail server distinguishes mailboxes by case.
const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email({ error: 'must be an email address' }));

export const registrationRequest = z.strictObject({
  email: email.meta({ description: 'The address that the key belongs to.', example: 'ada@example.com' }),
});

export const signInLinkRequest = z.strictObject({
  email: email.meta({ description: 'The address of the account.', example: 'ada@example.com' }),
});

export const newKeyRequest = z.strictObject({
  name: z.string().trim().min(1).max(100).optional().meta({ description: 'What the key is for.', example: 'CI' }),
});

/** The longest overlap of a rotation, in which both keys are valid: seven days. */
const longestOverlapS = 604_800;

export const rotateKeyRequest = z.strictObject({
  overlap_s: z.int().min(0).max(longestOverlapS).default(0).meta({
    description: 'How long the previous key stays valid.',
    unit: 'seconds',
  }),
});

export const accountListQuery = pageRequest('acc').extend({
  email: z.string().trim().toLowerCase().optional().meta({ description: 'The full address.' }),
  search: z.string().trim().toLowerCase().max(200).optional().meta({
    description: 'Part of the address, or the whole id.',
    example: '@example.com',
  }),
});

export const accountChange = z.strictObject({
  plan: z.string().optional(),
  status: z.enum(['active', 'suspended']).optional(),
});

/** No key is longer than this. */
const longestKey = 512;

export const signInRequest = z
  .strictObject({
    api_key: z.string().min(1).max(longestKey).optional().meta({ description: 'A key of the account.' }),
    operator_key: z.string().min(1).max(longestKey).optional().meta({ description: 'The operator’s key.' }),
    link_token: z
      .string()
      .min(1)
      .max(longestKey)
      .optional()
      .meta({ description: 'What a sign-in link has after its `#`. It works once.' }),
  })
  .refine((given) => Object.values(given).filter((value) => value !== undefined).length === 1, {
    path: ['api_key'],
    error: 'or operator_key or link_token must be given, and only one of them',
  });

/** One step of re-encryption during a rotation of `SECRET_KEY`. */
export const reencryptRequest = z.strictObject({
  cursor: z.string().max(200).optional().meta({ description: 'The `next_cursor` of the step before.' }),
});

/** Daily usage is reported for a quarter. */
const usageDaysAtMost = 90;

export const usageQuery = z.strictObject({
  days: z.int().min(1).max(usageDaysAtMost).default(30).meta({ description: 'How many days, today included.' }),
});
