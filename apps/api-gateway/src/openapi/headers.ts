import type { ContractForm } from '@capture/contract/forms/forms';
import type { Route } from '../http/route.ts';

export const header = (name: string) => ({ $ref: `#/components/headers/${name}` });

/** Extra headers of errors, by status. */
const errorHeaders: Readonly<Record<string, object>> = {
  401: { 'WWW-Authenticate': header('WWW-Authenticate') },
  405: { Allow: header('Allow') },
  429: { 'Retry-After': header('Retry-After'), 'X-RateLimit-RetryAfter': header('X-RateLimit-RetryAfter') },
  503: { 'Retry-After': header('Retry-After') },
};

export function headersOfError(status: string): object {
  return errorHeaders[status] ?? {};
}

/** The headers of every response of a route. */
export function headersOf(form: ContractForm, route: Route): Record<string, object> {
  const names = ['X-Request-Id'];
  if (route.auth === 'key') {
    names.push('X-RateLimit-Limit', 'X-RateLimit-Remaining');
    if (form.headers.rateLimitReset) names.push('X-RateLimit-Reset');
    if (form.headers.retryAfter === 'always') names.push('X-RateLimit-RetryAfter');
  }
  return Object.fromEntries(names.map((name) => [name, header(name)]));
}

/** The main figures of a capture's receipt, sent with its bytes; figures that do not apply are omitted. */
export const receiptHeaders = {
  'X-Capture-Duration-Ms': { description: 'Duration of the capture, in milliseconds.', schema: { type: 'integer' } },
  'X-Capture-Final-Url': { description: 'URL of the captured page, after redirects.', schema: { type: 'string' } },
  'X-Capture-Http-Status': { description: 'HTTP status of that page.', schema: { type: 'integer' } },
  'X-Capture-Wait': { description: 'What ended the wait for the page.', schema: { type: 'string' } },
  'X-Capture-Quality': {
    description: '`ok`, or the reasons to doubt the capture, comma-separated.',
    schema: { type: 'string', examples: ['ok', 'incomplete,overlay'] },
  },
  'X-Capture-Failed-Requests': { description: 'Requests of the page that failed.', schema: { type: 'integer' } },
  'X-Capture-Blocked-Requests': { description: 'Requests of the page that were blocked.', schema: { type: 'integer' } },
};

/** The response headers, by name. */
export function headerComponents(form: ContractForm): Record<string, object> {
  return {
    'X-Request-Id': {
      description: 'The id of the request, and of the capture that it created.',
      schema: { type: 'string', examples: ['req_01kaek2v2gf3d9w8q0x5m7r4tz'] },
    },
    'X-RateLimit-Limit': { description: 'The plan’s captures per month.', schema: { type: 'integer' } },
    'X-RateLimit-Remaining': { description: 'Captures remaining this month.', schema: { type: 'integer' } },
    ...(form.headers.rateLimitReset && {
      'X-RateLimit-Reset': {
        description: 'The date on which the monthly quota resets, UTC.',
        schema: { type: 'string', format: 'date' },
      },
    }),
    'X-RateLimit-RetryAfter': {
      description: 'Seconds until the next request is allowed.',
      schema: { type: 'integer', minimum: 0 },
    },
    Location: { description: 'URL of the file.', schema: { type: 'string', format: 'uri' } },
    'Idempotency-Replayed': {
      description: 'Set when the response is that of an earlier request with the same `Idempotency-Key`.',
      schema: { type: 'string', enum: ['true'] },
    },
    'Retry-After': { description: 'Seconds after which to retry the request.', schema: { type: 'integer' } },
    'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string', examples: ['Bearer'] } },
    'Set-Cookie': {
      description: 'The session cookie: `HttpOnly`, `SameSite=Strict`, and `Secure` over https.',
      schema: { type: 'string' },
    },
    Allow: { description: 'The methods that this path supports.', schema: { type: 'string', examples: ['GET, POST'] } },
    ...receiptHeaders,
  };
}
