import { type ErrorCode, errorStatus } from '@capture/contract/errors';
import type { ContractForm } from '@capture/contract/forms/forms';
import { isMetered, type ResponseDocs, type Route } from '../http/route.ts';
import { nameOf } from './components.ts';
import { exampleOf } from './examples.ts';
import { header, headersOf, headersOfError } from './headers.ts';
import { type JsonSchema, jsonSchema, referenceTo } from './json-schema.ts';

const errorReference = { $ref: referenceTo('Error') };

/** Lists every response of a route by status, with the errors of every similar route. */
export function responsesOf(form: ContractForm, route: Route): Record<string, object> {
  const headers = headersOf(form, route);
  const responses: Record<string, object> = {};
  for (const [status, response] of Object.entries(route.responses)) {
    const names = [...(response.headers ?? []), ...(route.idempotent ? ['Idempotency-Replayed'] : [])];
    const own = Object.fromEntries(names.map((name) => [name, header(name)]));
    responses[status] = { description: response.description, headers: { ...headers, ...own }, ...contentOf(response) };
  }
  for (const [status, codes] of byStatus(errorCodesOf(route))) {
    // A status that the route documents itself, such as the 503 of `/readyz`, stays as it is.
    responses[status] ??= {
      description: `${codes.map((code) => `\`${code}\``).join(', ')}.`,
      headers: { ...headers, ...headersOfError(status) },
      content: { 'application/json': { schema: errorReference } },
    };
  }
  return responses;
}

function contentOf({ json, media = [], example }: ResponseDocs): object {
  const content: Record<string, object> = {};
  for (const type of media) {
    const isFile = !type.startsWith('text/') || (example === undefined && /^text\/(markdown|plain)$/.test(type));
    const schema = isFile ? { contentMediaType: type } : { type: 'string' };
    content[type] = { schema, ...(example !== undefined && { example }) };
  }
  if (json) content['application/json'] = { schema: schemaOrReference(json), example: exampleOf(json) };
  return Object.keys(content).length > 0 ? { content } : {};
}

function schemaOrReference(schema: NonNullable<ResponseDocs['json']>): JsonSchema {
  const name = nameOf(schema);
  return name === undefined ? jsonSchema(schema, 'output', nameOf) : { $ref: referenceTo(name) };
}

function errorCodesOf(route: Route): Set<ErrorCode> {
  const codes = new Set<ErrorCode>(['INVALID_REQUEST', 'HEADERS_TOO_LARGE', 'INTERNAL', ...(route.errors ?? [])]);
  const add = (when: unknown, ...added: ErrorCode[]) => {
    if (when) for (const code of added) codes.add(code);
  };
  add(true, route.otherMethods === 'not found' ? 'NOT_FOUND' : 'METHOD_NOT_ALLOWED');
  add(route.auth !== 'none', 'UNAUTHORIZED', 'RATE_LIMITED');
  add(route.auth === 'key' || (route.auth === 'operator' && route.method !== 'GET'), 'FORBIDDEN');
  add(route.path.includes('/:') && route.path.startsWith('/api/'), 'NOT_FOUND');
  add(route.body, 'REQUEST_TIMEOUT', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  add(route.idempotent, 'IDEMPOTENCY_CONFLICT');
  add(isMetered(route), 'RATE_LIMITED', 'QUOTA_EXCEEDED');
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
