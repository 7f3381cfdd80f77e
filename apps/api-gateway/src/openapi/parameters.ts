import type { z } from 'zod';
import type { Route } from '../http/route.ts';
import { nameOf } from './components.ts';
import { type JsonSchema, jsonSchema } from './json-schema.ts';

/** Lists the parameters of a route: from its path and query, and the `Idempotency-Key` header. */
export function parametersOf(route: Route): object[] {
  const { query, notInQuery = new Set(), idempotent } = route;
  return [
    ...pathParameters(route),
    ...(query ? queryParameters(query, notInQuery) : []),
    ...(idempotent ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : []),
  ];
}

export const headerParameters = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Within 24 hours, the same key and body return the same response, with `Idempotency-Replayed: true`, and create nothing twice. A different body under the same key is a 409. A 429 or 5xx is not stored.',
    schema: { type: 'string', minLength: 1, maxLength: 255, examples: ['5f0c2a7e-order-4711'] },
  },
};

/** Path parameters by the segment before them in the path. */
const pathNames: Readonly<Record<string, readonly [description: string, example: string]>> = {
  'captures/id': ['The id of the capture.', 'req_01kaek2v2gf3d9w8q0x5m7r4tz'],
  'batches/id': ['The id of the batch.', 'batch_01kaek2v2gf3d9w8q0x5m7r4tz'],
  'presets/name': ['The name of the preset; a GET also takes a version, such as `shop@3`.', 'shop'],
  'webhooks/id': ['The id of the endpoint.', 'wh_01kaek2v2gf3d9w8q0x5m7r4tz'],
  'deliveries/id': ['The id of the delivery.', 'dlv_01kaek2v2gf3d9w8q0x5m7r4tz'],
  'keys/id': ['The id of the key.', 'key_01kaek2v2gf3d9w8q0x5m7r4tz'],
  'accounts/id': ['The id of the account.', 'acc_01kaek2v2gf3d9w8q0x5m7r4tz'],
  'files/name': ['The name of the file.', 'req_01kaek2v2gf3d9w8q0x5m7r4tz.png'],
  'r/keyId': ['The id of an API key of the account.', 'key_01kaek2v2gf3d9w8q0x5m7r4tz'],
  ':keyId/signature': [
    'The signature of the file and the query, hexadecimal.',
    '5d41402abc4b2a76b9719d911017c592ae1f0c1e5d41402abc4b2a76b9719d91',
  ],
  ':signature/file': ['What the link shows.', 'screenshot.png'],
  'assets/name': ['The name of the file.', 'index.js'],
  'dashboard/place': ['The page within the dashboard.', 'playground'],
  'docs/page': ['The page within the documentation.', 'captures'],
  'static/file': ['The path of the file.', 'favicon-32x32.png'],
  'api/call': ['The path of the call.', 'queues'],
  'queues/place': ['The page within the browser.', 'queue/captures'],
};

function pathParameters({ path }: Route): object[] {
  return [...path.matchAll(/(?<=([^/]+)\/)[:*](\w+)/g)].map(([, before, name = '']) => {
    const known = pathNames[`${before}/${name}`];
    if (!known) throw new Error(`the parameter ${name} of ${path} has no description`);
    const [description, example] = known;
    return { name, in: 'path', required: true, description, schema: { type: 'string', examples: [example] } };
  });
}

function queryParameters(query: z.ZodObject, omitted: ReadonlySet<string>): object[] {
  const names = Object.keys(query.shape).filter((name) => !omitted.has(name));
  // A body may have `html` instead of `url`; a query may not.
  const required = (name: string, field: z.ZodType) =>
    (omitted.size > 0 && name === 'url') || !field.safeParse(undefined).success;
  return names.map((name) => {
    const field = query.shape[name] as z.ZodType;
    const { description, ...schema } = jsonSchema(field, 'input', nameOf);
    return {
      name,
      in: 'query',
      ...(typeof description === 'string' && { description }),
      ...(required(name, field) && { required: true }),
      ...serialization(schema),
    };
  });
}

/** How a query writes an option: a plain value as text, an array of plain values with commas, an object as JSON. */
function serialization(schema: JsonSchema): object {
  const branches = (schema.anyOf as JsonSchema[] | undefined) ?? [schema];
  const isObject = (one: JsonSchema) => one.type === 'object';
  if (branches.every((one) => isObject(one) || (one.type === 'array' && isObject(one.items as JsonSchema)))) {
    return { content: { 'application/json': { schema } } };
  }
  if (schema.type === 'array') return { style: 'form', explode: false, schema };
  return { schema };
}
