import { isIP } from 'node:net';
import { z } from 'zod';

/**
 * The settings that more than one process reads, each once: its form, its default, what is said of a wrong value.
 * A process picks the ones it needs: `readConfig({ PORT: settings.PORT, … }, process.env)`.
 */

/** A week: longer than any time that is waited for here, and well within what a timer can hold (24.8 days). */
const longestDurationMs = 7 * 86_400_000;

/** `250ms`, `30s`, `2m`, `4h` or a bare number of milliseconds → milliseconds. */
export const duration = z.string().transform((text, context) => {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim());
  if (!match) {
    context.addIssue({ code: 'custom', message: 'must be a duration such as 250ms, 30s, 2m or 4h' });
    return z.NEVER;
  }
  const ms = Math.round(Number(match[1]) * { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }[(match[2] ?? 'ms') as 'ms']);
  if (ms > longestDurationMs) context.addIssue({ code: 'custom', message: 'must be at most 168h' });
  return ms;
});

export function integer(minimum: number, maximum: number) {
  return z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${minimum} to ${maximum}`)
    .transform(Number)
    .pipe(z.number().min(minimum, `must be at least ${minimum}`).max(maximum, `must be at most ${maximum}`));
}

const url = (...protocols: string[]) =>
  z.string({ error: 'is missing' }).refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    message: `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });

/** A secret of enough text that it cannot be guessed; what generates one makes 43 characters. */
const secret = z
  .string({ error: 'is missing' })
  .min(32, 'must be at least 32 characters')
  .regex(/^\S+$/, 'must have no spaces in it');

/** How many proxies stand in front, or which: as Express' setting `trust proxy` takes it. */
const proxies = z
  .string()
  .default('')
  .transform((text, context): number | string[] | false => {
    if (text === '') return false;
    if (/^\d{1,3}$/.test(text)) return Number(text);
    const ranges = text.split(',').map((part) => part.trim());
    if (!ranges.every(isRange)) {
      context.addIssue({ code: 'custom', message: 'must be a number of proxies, or addresses and CIDRs with commas' });
    }
    return ranges;
  });

function isRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128))
  );
}

export const settings = {
  PORT: integer(0, 65_535).default(3000),
  PUBLIC_URL: url('http:', 'https:')
    .transform((text) => text.replace(/\/+$/, ''))
    .optional(),
  CONTRACT_FORM: z.enum(['A', 'B'], { error: 'must be A or B' }).default('B'),
  DATABASE_URL: url('postgres:', 'postgresql:'),
  REDIS_URL: url('redis:', 'rediss:'),
  STORAGE_URL: url('file:', 's3:'),
  SECRET_KEY: secret,
  SECRET_KEY_PREVIOUS: secret.optional(),
  OPERATOR_KEY: secret,
  EGRESS_ALLOW: z.string().default(''),
  EGRESS_DENY: z.string().default(''),
  /** The service that carries captures' traffic; unset, each worker does so itself. */
  EGRESS_PROXY_URL: url('http:')
    .transform((text) => text.replace(/\/+$/, ''))
    .optional(),
  /** What that service and its workers know each other by. Not `SECRET_KEY`: who meets the internet need not know that. */
  EGRESS_PROXY_TOKEN: secret,
  TRUST_PROXY: proxies,
  REGISTRATIONS_PER_HOUR: integer(1, 1_000_000).default(20),
  CAPTURE_CONCURRENCY: integer(1, 256).optional(),
  AD_LISTS_DIR: z.string().startsWith('/', 'must be an absolute path').optional(),
  WEBHOOK_RETRY_DELAYS: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(duration).length(5, 'must be five delays, such as 1s,2s,4s,8s,16s'))
    .optional(),
  WEBHOOK_TIMEOUT_MS: integer(100, 120_000).optional(),
  BATCH_MAX_ITEMS: integer(1, 100_000).default(1_000),
  FILE_RETENTION_DAYS: integer(1, 3_650).optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
} as const;
