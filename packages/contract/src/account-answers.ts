import { z } from 'zod';
import { count, time } from './answers.ts';

/** What the service answers about accounts, keys and secrets. */

const key = {
  id: z.string().meta({ example: 'key_01kaek2v2gf3d9w8q0x5m7r4tz' }),
  name: z.string().nullable(),
  prefix: z.string(),
  last_four: z.string(),
  created_at: time,
};

const apiKey = z.string().meta({ description: 'The key itself, shown this once.' });

export const registration = z.strictObject({ apiKey, plan: z.string().meta({ example: 'free' }), createdAt: time });

export const keyRow = z.strictObject({ ...key, last_used_at: time.nullable(), expires_at: time.nullable() });

export const issuedKey = z.strictObject({ ...key, apiKey });

export const rotatedKey = issuedKey.extend({
  previous_expires_at: time.meta({ description: 'Until when the former key works.' }),
});

export const account = z.strictObject({
  id: z.string().meta({ example: 'acc_01kaek2v2gf3d9w8q0x5m7r4tz' }),
  email: z.string(),
  plan: z.string(),
  created_at: time,
  usage: z.strictObject({
    month: z.string().meta({ description: 'UTC.', example: '2026-11' }),
    used: count.meta({ description: 'Captures that completed this month.' }),
    reserved: count.meta({ description: 'Captures that are still open.' }),
    limit: count.nullable().meta({ description: 'Captures a month; null is unlimited.' }),
    resets_at: time,
  }),
});

const secret = z.string().meta({ description: 'Its whole text, as UTF-8, is the key of `X-Service-Signature`.' });

export const signingSecret = z.strictObject({ secret, created_at: time });

export const rotatedSecret = z.strictObject({
  secret,
  previous_valid_until: time.meta({ description: 'Until when the former one signs beside it.' }),
});

export const issuedSecret = z.strictObject({ secret });

export const accountRow = z.strictObject({
  id: z.string(),
  email: z.string(),
  plan: z.string(),
  status: z.enum(['active', 'suspended']),
  created_at: time,
  used: count.meta({ description: 'Captures that completed this month.' }),
});
