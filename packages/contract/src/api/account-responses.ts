import { z } from 'zod';
import { count, time } from './responses.ts';

/** The responses about accounts, keys and secrets. */

const key = {
  id: z.string().meta({ example: 'key_01kaek2v2gf3d9w8q0x5m7r4tz' }),
  name: z.string().nullable(),
  prefix: z.string(),
  last_four: z.string(),
  created_at: time,
};

const apiKey = z.string().meta({ description: 'The key itself, shown only once.' });

export const registration = z.strictObject({ apiKey, plan: z.string().meta({ example: 'free' }), createdAt: time });

export const keyRow = z.strictObject({ ...key, last_used_at: time.nullable(), expires_at: time.nullable() });

export const issuedKey = z.strictObject({ ...key, apiKey });

export const rotatedKey = issuedKey.extend({
  previous_expires_at: time.meta({ description: 'When the previous key stops working.' }),
});

export const account = z.strictObject({
  id: z.string().meta({ example: 'acc_01kaek2v2gf3d9w8q0x5m7r4tz' }),
  email: z.string(),
  plan: z.string(),
  created_at: time,
  usage: z.strictObject({
    month: z.string().meta({ description: 'UTC.', example: '2026-11' }),
    used: count.meta({ description: 'Captures that completed this month.' }),
    reserved: count.meta({ description: 'Captures that are queued or in progress.' }),
    limit: count.nullable().meta({ description: 'Captures per month; null is unlimited.' }),
    resets_at: time,
  }),
});

const secret = z.string().meta({ description: 'Its whole text, as UTF-8, is the key of `X-Service-Signature`.' });

export const signingSecret = z.strictObject({ secret, created_at: time });

export const rotatedSecret = z.strictObject({
  secret,
  previous_valid_until: time.meta({ description: 'Until when the previous secret also signs.' }),
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

export const session = z.strictObject({
  role: z.enum(['account', 'operator']).meta({ description: 'Whose session it is.' }),
});

export const signInLink = z.strictObject({
  valid_for_s: z.int().meta({ description: 'How long the link works after it was sent.', unit: 'seconds' }),
});

export const dailyUsage = z.strictObject({
  days: z
    .array(
      z.strictObject({
        date: z.iso.date().meta({ description: 'UTC: when the captures were requested.', example: '2026-11-20' }),
        completed: count.meta({ description: 'Captures that completed and count.' }),
        failed: count.meta({ description: 'Captures that failed.' }),
        cached: count.meta({ description: 'Cached captures, which cost nothing.' }),
      }),
    )
    .meta({ description: 'Every day, the oldest first.' }),
});

export const queueList = z.strictObject({
  queues: z.array(
    z.strictObject({
      name: z.enum(['captures', 'deliveries']),
      waiting: count.meta({ description: 'Jobs that are due and not started.' }),
      active: count.meta({ description: 'Jobs in progress.' }),
      delayed: count.meta({ description: 'Jobs that are due later: retries of deliveries.' }),
      oldest_waiting_s: count.nullable().meta({
        description: 'Age of the oldest waiting job; null if none is waiting.',
        unit: 'seconds',
      }),
      workers: count.meta({ description: 'Processes that take jobs from it.' }),
    }),
  ),
});

export const encryptedCount = z.strictObject({
  previous_key_set: z.boolean().meta({ description: 'Whether `SECRET_KEY_PREVIOUS` is set.' }),
  current: count.meta({ description: 'Secrets that `SECRET_KEY` decrypts.' }),
  previous: count.meta({ description: 'Secrets that need `SECRET_KEY_PREVIOUS`.' }),
  unreadable: count.meta({ description: 'Secrets of a key that is no longer set.' }),
});

export const reencrypted = z.strictObject({
  reencrypted: count.meta({ description: 'Secrets that this step has re-encrypted.' }),
  unreadable: count.meta({ description: 'Secrets that could not be decrypted; unchanged.' }),
  next_cursor: z.string().nullable().meta({ description: 'Cursor of the next step; null when done.' }),
});
