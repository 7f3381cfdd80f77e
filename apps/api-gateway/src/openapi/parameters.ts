import type { z } from 'zod';
import type { Route } from '../http/route.ts';
import { nameOf } from './components.ts';
import { type JsonSchema, jsonSchema } from './json-schema.ts';
import type { Operation } from './operation.ts';

/** The parameters of an operation: of its path, its query, and the header that makes it happen once. */
export function parametersOf(route: Route, operation: Operation): object[] {
  return [
    ...pathParameters(route),
    ...(operation.query ? queryParameters(operation.query, operation.notInQuery ?? new Set()) : []),
    ...(operation.idempotent ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : []),
  ];
}

export const headerParameters = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'The same key and body within 24 hours give the same answer, with `Idempotency-Replayed: true`, and make nothing twice; another body under it is a 409. A 429 or 5xx is not remembered.',
    schema: { type: 'string', minLength: 1, maxLength: 255, examples: ['5f0c2a7e-order-4711'] },
  },
};

/** What each parameter of a path stands for. */
const pathNames: Readonly<Record<string, string>> = {
  id: 'The id of what is meant.',
  name: 'The name of the file.',
  place: 'Where in the dashboard.',
};

function pathParameters({ path }: Route): object[] {
  return [...path.matchAll(/[:*](\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: pathNames[name] ?? name,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.ZodObject, left: ReadonlySet<string>): object[] {
  const names = Object.keys(query.shape).filter((name) => !left.has(name));
  // What another option can stand in for in a body is all that there is in a query.
  const required = (name: string, field: z.ZodType) =>
    (left.size > 0 && name === 'url') || !field.safeParse(undefined).success;
  return names.map((name) => {
    const field = query.shape[name] as z.ZodType;
    const { description, ...schema } = jsonSchema(field, 'input', nameOf);
    return {
      name,
      in: 'query',
      ...(typeof description === 'string' && { description }),
      ...(required(name, field) && { required: true }),
      ...spelling(schema),
    };
  });
}

/** How a query spells an option: plain values as they are, arrays of them with commas, objects as JSON. */
function spelling(schema: JsonSchema): object {
  const branches = (schema.anyOf as JsonSchema[] | undefined) ?? [schema];
  const isObject = (one: JsonSchema) => one.type === 'object';
  if (branches.every((one) => isObject(one) || (one.type === 'array' && isObject(one.items as JsonSchema)))) {
    return { content: { 'application/json': { schema } } };
  }
  if (schema.type === 'array') return { style: 'form', explode: false, schema };
  return { schema };
}
