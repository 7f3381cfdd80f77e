import { type ErrorCode, errorStatus } from '@capture/contract/errors';
import type { ContractForm } from '@capture/contract/forms/forms';
import type { Route } from '../http/route.ts';
import { nameOf } from './components.ts';
import { header, headersOf, headersOfError } from './headers.ts';
import { type JsonSchema, jsonSchema, referenceTo } from './json-schema.ts';
import type { Answer, Operation } from './operation.ts';

const errorReference = { $ref: referenceTo('Error') };

/** Every answer of a route by status: its own, and the errors that routes like it have. */
export function responsesOf(form: ContractForm, route: Route, operation: Operation): Record<string, object> {
  const headers = headersOf(form, route);
  const responses: Record<string, object> = {};
  for (const [status, answer] of Object.entries(operation.answers)) {
    const more = [...(answer.headers ?? []), ...(operation.idempotent ? ['Idempotency-Replayed'] : [])];
    const own = Object.fromEntries(more.map((name) => [name, header(name)]));
    responses[status] = { description: answer.description, headers: { ...headers, ...own }, ...contentOf(answer) };
  }
  for (const [status, codes] of byStatus(errorCodesOf(route, operation))) {
    // A status that is an answer of its own here, as a 503 of the readiness, says so itself.
    responses[status] ??= {
      description: `${codes.map((code) => `\`${code}\``).join(', ')}.`,
      headers: { ...headers, ...headersOfError(status) },
      content: { 'application/json': { schema: errorReference } },
    };
  }
  return responses;
}

function contentOf({ json, media = [] }: Answer): object {
  const content: Record<string, object> = {};
  for (const type of media) {
    content[type] = { schema: type.startsWith('text/') ? { type: 'string' } : { contentMediaType: type } };
  }
  if (json) content['application/json'] = { schema: schemaOrReference(json) };
  return Object.keys(content).length > 0 ? { content } : {};
}

function schemaOrReference(schema: NonNullable<Answer['json']>): JsonSchema {
  const name = nameOf(schema);
  return name === undefined ? jsonSchema(schema, 'output', nameOf) : { $ref: referenceTo(name) };
}

function errorCodesOf(route: Route, operation: Operation): Set<ErrorCode> {
  const codes = new Set<ErrorCode>(['INVALID_REQUEST', 'HEADERS_TOO_LARGE', 'INTERNAL', ...(operation.errors ?? [])]);
  const add = (when: unknown, ...more: ErrorCode[]) => {
    if (when) for (const code of more) codes.add(code);
  };
  add(true, route.otherMethods === 'not found' ? 'NOT_FOUND' : 'METHOD_NOT_ALLOWED');
  add(route.auth !== 'none', 'UNAUTHORIZED', 'RATE_LIMITED');
  add(route.auth === 'key' || (route.auth === 'operator' && route.method !== 'GET'), 'FORBIDDEN');
  add(route.path.includes('/:') && route.path.startsWith('/api/'), 'NOT_FOUND');
  add(operation.body, 'REQUEST_TIMEOUT', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  add(operation.idempotent, 'IDEMPOTENCY_CONFLICT');
  add(route.cost !== 'none', 'RATE_LIMITED', 'QUOTA_EXCEEDED');
  return codes;
}

function byStatus(codes: Iterable<ErrorCode>): [string, ErrorCode[]][] {
  const found = new Map<string, ErrorCode[]>();
  for (const code of codes) {
    const status = String(errorStatus[code]);
    found.set(status, [...(found.get(status) ?? []), code]);
  }
  return [...found].sort(([a], [b]) => Number(a) - Number(b));
}
