import type { ContractForm } from '@capture/contract/forms/forms';
import type { Route } from '../http/route.ts';

export const header = (name: string) => ({ $ref: `#/components/headers/${name}` });

/** The headers that errors of a status have beside them. */
const errorHeaders: Readonly<Record<string, object>> = {
  401: { 'WWW-Authenticate': header('WWW-Authenticate') },
  405: { Allow: header('Allow') },
  429: { 'Retry-After': header('Retry-After'), 'X-RateLimit-RetryAfter': header('X-RateLimit-RetryAfter') },
  503: { 'Retry-After': header('Retry-After') },
};

export function headersOfError(status: string): object {
  return errorHeaders[status] ?? {};
}

/** The headers that every answer of a route has. */
export function headersOf(form: ContractForm, route: Route): Record<string, object> {
  const names = ['X-Request-Id'];
  if (route.auth === 'key') {
    names.push('X-RateLimit-Limit', 'X-RateLimit-Remaining');
    if (form.headers.rateLimitReset) names.push('X-RateLimit-Reset');
    if (form.headers.retryAfter === 'always') names.push('X-RateLimit-RetryAfter');
  }
  return Object.fromEntries(names.map((name) => [name, header(name)]));
}

/** The main figures of a capture's receipt, with its bytes; those that do not apply are left out. */
export const receiptHeaders = {
  'X-Capture-Duration-Ms': { description: 'What the capture took, milliseconds.', schema: { type: 'integer' } },
  'X-Capture-Final-Url': { description: 'The page that was drawn.', schema: { type: 'string' } },
  'X-Capture-Http-Status': { description: 'The status of that page.', schema: { type: 'integer' } },
  'X-Capture-Wait': { description: 'What the waiting ended on.', schema: { type: 'string' } },
  'X-Capture-Failed-Requests': { description: 'Requests of the page that failed.', schema: { type: 'integer' } },
  'X-Capture-Blocked-Requests': { description: 'Requests of the page that were blocked.', schema: { type: 'integer' } },
};

/** The headers that answers have, by name. */
export function headerComponents(form: ContractForm): Record<string, object> {
  return {
    'X-Request-Id': {
      description: 'The id of the request, and of the capture that it made.',
      schema: { type: 'string', examples: ['req_01kaek2v2gf3d9w8q0x5m7r4tz'] },
    },
    'X-RateLimit-Limit': { description: 'The plan’s captures a month.', schema: { type: 'integer' } },
    'X-RateLimit-Remaining': { description: 'Captures that are left this month.', schema: { type: 'integer' } },
    ...(form.headers.rateLimitReset && {
      'X-RateLimit-Reset': {
        description: 'The date on which the month’s counter begins anew, UTC.',
        schema: { type: 'string', format: 'date' },
      },
    }),
    'X-RateLimit-RetryAfter': {
      description: 'Seconds until the next request is allowed.',
      schema: { type: 'integer', minimum: 0 },
    },
    Location: { description: 'Where the file is given.', schema: { type: 'string', format: 'uri' } },
    'Idempotency-Replayed': {
      description: 'Whether the answer is that of an earlier request with the same `Idempotency-Key`.',
      schema: { type: 'string', enum: ['true'] },
    },
    'Retry-After': { description: 'Seconds after which the request may succeed.', schema: { type: 'integer' } },
    'WWW-Authenticate': { description: 'How to give a key.', schema: { type: 'string', examples: ['Bearer'] } },
    'Set-Cookie': {
      description: 'The session: `HttpOnly`, `SameSite=Strict`, over https `Secure`.',
      schema: { type: 'string' },
    },
    Allow: { description: 'The methods that this path takes.', schema: { type: 'string', examples: ['GET, POST'] } },
    ...receiptHeaders,
  };
}
