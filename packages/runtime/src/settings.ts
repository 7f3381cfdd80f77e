import { isIP } from 'node:net';
import { z } from 'zod';

/** The settings with their formats, defaults and error messages. `service-settings.ts` lists the settings of each service. */

/** A week is longer than any wait, and well below a timer's maximum (24.8 days). */
const longestDurationMs = 7 * 86_400_000;

/** Parses `250ms`, `30s`, `2m`, `4h` or a bare number of milliseconds. Returns milliseconds. */
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

/** A secret that is too long to guess; generated secrets have 43 characters. */
const secret = z
  .string({ error: 'is missing' })
  .min(32, 'must be at least 32 characters')
  .regex(/^\S+$/, 'must not contain spaces');

/** A name and an email address, or only an address, from characters that need no quotes and cannot end the header. */
const mailFrom = /^(?:[\p{L}\p{N} .'&+-]{1,100} <[\w.+-]+@[\w.-]+>|[\w.+-]+@[\w.-]+)$/u;

/** @returns why a mail server's URL cannot be used; null if it can be used. */
function smtpFault(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, username, password, pathname, searchParams } = new URL(text);
  if (!protocol.startsWith('smtp')) return null;
  if (!isDecodable(username + password)) return 'must have its user name and password percent-encoded';
  if (hostname === '' || pathname.length > 1) return 'must be like smtps://user:password@mail.example.com:465';
  const others = [...searchParams].filter(([name, value]) => name !== 'tls' || value !== 'off');
  if (others.length > 0 || (protocol === 'smtps:' && searchParams.size > 0)) {
    return 'may have one parameter, ?tls=off after smtp://…';
  }
  return searchParams.size > 0 && password !== '' ? 'must not send a password without TLS' : null;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** The number of proxies in front of the gateway, or their addresses: the values of Express' setting `trust proxy`. */
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

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

/** Which traces are kept. `parentbased_` makes no difference, because no other process decides for our traces. */
const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export const settings = {
  PORT: integer(0, 65_535).default(3000),
  PUBLIC_URL: url('http:', 'https:')
    .transform((text) => text.replace(/\/+$/, ''))
    .optional(),
  CONTRACT_FORM: z.enum(['A', 'B'], { error: 'must be A or B' }).default('B'),
  /** The operator's plans and the plan of new accounts, which `deployment-form.ts` reads. */
  PLANS_FILE: z.string().optional(),
  DEFAULT_PLAN: z.string().optional(),
  DATABASE_URL: url('postgres:', 'postgresql:'),
  REDIS_URL: url('redis:', 'rediss:'),
  STORAGE_URL: url('file:', 's3:'),
  /** The server that sends sign-in links; without a server there are no sign-in links. */
  SMTP_URL: url('smtp:', 'smtps:')
    .superRefine((text, context) => {
      const message = smtpFault(text);
      if (message !== null) context.addIssue({ code: 'custom', message });
    })
    .optional(),
  MAIL_FROM: z
    .string()
    .max(300, 'must be at most 300 characters')
    .regex(mailFrom, 'must be like no-reply@example.com or Capture platform <no-reply@example.com>')
    .optional(),
  SECRET_KEY: secret,
  SECRET_KEY_PREVIOUS: secret.optional(),
  OPERATOR_KEY: secret,
  /** The key's SHA-256 in hex, for processes that only verify the key. */
  OPERATOR_KEY_SHA256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits')
    .optional(),
  /** The port for a process's health and metrics; 0 means any free port. Without a port there is no listener. */
  METRICS_PORT: integer(0, 65_535).optional(),
  METRICS_HOST: z
    .string()
    .refine((text) => isIP(text) !== 0, 'must be an IP address')
    .default('127.0.0.1'),
  /** Operators may turn the sandbox off only if every page is trusted. */
  CHROMIUM_SANDBOX: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
  /** The isolation level of captures that carry nothing personal and ask for no level. */
  ISOLATION: z.enum(['account', 'site'], { error: 'must be account or site' }).default('account'),
  /** Whether a capture may use the cleared page of an earlier capture of its account. */
  WARM_PAGES: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
  /** The user agent of captures that do not set one; by default the user agent of an ordinary Chrome. */
  USER_AGENT: z
    .string()
    .max(1_024, 'must be at most 1024 characters')
    .regex(/^[!-~](?:[ -~]*[!-~])?$/, 'must be printable ASCII without spaces around it')
    .optional(),
  EGRESS_ALLOW: z.string().default(''),
  EGRESS_DENY: z.string().default(''),
  /** The service that carries captures' traffic; by default each worker carries its own. */
  EGRESS_PROXY_URL: url('http:')
    .transform((text) => text.replace(/\/+$/, ''))
    .optional(),
  /** Authenticates workers at the egress service. It is not `SECRET_KEY`, which a process that faces the internet must not know. */
  EGRESS_PROXY_TOKEN: secret,
  TRUST_PROXY: proxies,
  REGISTRATIONS_PER_HOUR: integer(1, 1_000_000).default(20),
  CAPTURE_CONCURRENCY: integer(1, 256).optional(),
  PNG_ENCODER: z.enum(['quick', 'small'], { error: 'must be quick or small' }).default('quick'),
  AD_LISTS_DIR: z.string().startsWith('/', 'must be an absolute path').optional(),
  WEBHOOK_RETRY_DELAYS: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(duration).length(5, 'must be five delays, such as 1s,2s,4s,8s,16s'))
    .optional(),
  WEBHOOK_TIMEOUT_MS: integer(100, 120_000).optional(),
  BATCH_MAX_ITEMS: integer(1, 100_000).default(1_000),
  FILE_RETENTION_DAYS: integer(1, 3_650).optional(),
  /**
   * The minimum is a week because stored responses refer to captures of the last day. The maximum is a year because lists and
   * scheduling read the partition of each week.
   */
  CAPTURE_RETENTION_DAYS: integer(7, 365).default(90),
  /** The contract promises 30 days. */
  DELIVERY_RETENTION_DAYS: integer(30, 365).default(30),
  // These are OpenTelemetry's names. Its library also reads its other variables (`OTEL_RESOURCE_ATTRIBUTES`, `OTEL_BSP_*`,
  // `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_EXPORTER_OTLP_TIMEOUT` and more).
  OTEL_SDK_DISABLED: z.enum(['true', 'false'], { error: 'must be true or false' }).default('false'),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none'], { error: 'must be otlp or none' }).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http:', 'https:').optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url('http:', 'https:').optional(),
  /** The name is ours, because OpenTelemetry has no name for this setting yet. */
  TRACES_FILE: z.string().startsWith('/', 'must be an absolute path').optional(),
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_TRACES_SAMPLER: z.enum(samplers, { error: `must be one of ${samplers.join(', ')}` }).default('always_on'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0|1|[01]?\.\d+)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .pipe(z.number().max(1, 'must be a number from 0 to 1'))
    .default(1),
  LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info'),
} as const;
