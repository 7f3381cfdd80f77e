import { z } from 'zod';

/**
 * The options that contain secrets: passwords, sessions, keys. Their values are stored encrypted, deleted when the capture ends,
 * and shown as `***`.
 */
export const secretOptionNames = ['cookies', 'headers', 'basic_auth'] as const;

export type SecretOptionName = (typeof secretOptionNames)[number];

const httpName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** The valid characters of a header's value: visible Latin-1, blanks and tabs. A line break would begin another header. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

const headerValueFault = 'must have no line breaks, control characters or characters beyond Latin-1 in it';

/** Headers that belong to the connection or to the browser: setting them would break the request. */
const refusedHeaders: Readonly<Record<string, string>> = {
  connection: 'belongs to the connection',
  'content-length': 'is set by the browser',
  cookie: 'is given as the option cookies',
  expect: 'belongs to the connection',
  host: 'is set by the browser from the URL',
  'keep-alive': 'belongs to the connection',
  te: 'belongs to the connection',
  trailer: 'belongs to the connection',
  'transfer-encoding': 'belongs to the connection',
  upgrade: 'belongs to the connection',
  'user-agent': 'is given as the option user_agent',
};

function headerNameFault(name: string): string | null {
  if (!httpName.test(name)) return 'is not the name of a header';
  const lower = name.toLowerCase();
  if (lower.startsWith('proxy-')) return 'may not be set: it belongs to the connection';
  const reason = Object.hasOwn(refusedHeaders, lower) ? refusedHeaders[lower] : undefined;
  return reason === undefined ? null : `may not be set: it ${reason}`;
}

/** A text that is sent as a header's value. */
export function headerText(longest: number) {
  return z.string().max(longest).regex(headerValue, { error: headerValueFault });
}

const headersAtMost = 50;

const headers = z.record(z.string().max(256), headerText(8_192)).superRefine((given, context) => {
  const names = Object.keys(given);
  if (names.length > headersAtMost) {
    context.addIssue({ code: 'custom', message: `must have at most ${headersAtMost} values` });
    return;
  }
  const seen = new Set<string>();
  for (const name of names) {
    const fault = seen.has(name.toLowerCase()) ? 'is given twice' : headerNameFault(name);
    if (fault) context.addIssue({ code: 'custom', path: [name], message: fault });
    seen.add(name.toLowerCase());
  }
});

/** Browsers drop a cookie whose name and value have more bytes together. */
const longestCookie = 4_096;

// biome-ignore lint/suspicious/noControlCharactersInRegex: what a cookie must not have in it.
const noCookieText = /[\x00-\x1f\x7f;]/;

const cookieText = z
  .string()
  .refine((text) => !noCookieText.test(text), { error: 'must have no semicolon or control character in it' });

const cookie = z
  .strictObject({
    name: z.string().min(1).regex(httpName, { error: 'is not the name of a cookie' }),
    value: cookieText,
    domain: z
      .string()
      .max(254)
      .regex(/^\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*$|^\[[0-9a-f:.]+\]$/i, { error: 'must be a host name' })
      .optional(),
    path: cookieText.max(1_024).startsWith('/', { error: 'must begin with /' }).optional(),
    secure: z.boolean().optional(),
    http_only: z.boolean().optional(),
    same_site: z.enum(['Strict', 'Lax', 'None']).optional(),
  })
  .superRefine(({ name, value, same_site, secure }, context) => {
    if (Buffer.byteLength(name) + Buffer.byteLength(value) > longestCookie) {
      context.addIssue({
        code: 'custom',
        path: ['value'],
        message: `must be at most ${longestCookie} bytes with its name`,
      });
    }
    if (same_site === 'None' && !secure) {
      context.addIssue({ code: 'custom', path: ['same_site'], message: 'None needs secure to be true' });
    }
  });

export type Cookie = z.output<typeof cookie>;

export const secretOptionFields = {
  headers: headers.optional().meta({
    description: 'Up to 50 headers by name, sent to the origin of the URL only.',
    example: { 'X-Preview': 'on' },
  }),
  cookies: z
    .array(cookie)
    .max(50)
    .optional()
    .meta({
      description: 'Up to 50 cookies. `domain` is that of the URL unless given, `path` is `/`.',
      example: [{ name: 'session', value: 'c2Vzc2lvbg', secure: true, http_only: true, same_site: 'Lax' }],
    }),
  basic_auth: z
    .strictObject({
      username: z
        .string()
        .max(1_024)
        .regex(/^[ -9;-~\u00a0-\uffff]*$/, { error: 'must have no colon or control character in it' }),
      password: z
        .string()
        .max(1_024)
        .regex(/^[ -~\u00a0-\uffff]*$/, { error: 'must have no control character in it' }),
    })
    .optional()
    .meta({
      description: 'HTTP Basic credentials, sent only when the origin of the URL requests them.',
      example: { username: 'preview', password: 'opensesame' },
    }),
} satisfies Record<SecretOptionName, z.ZodType>;
