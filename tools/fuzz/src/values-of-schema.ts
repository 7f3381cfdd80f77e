import fc from 'fast-check';
import { hostileNumber, hostileText, hostileValue, weighted } from './hostile.ts';

/** A schema of the OpenAPI document. */
// biome-ignore lint/suspicious/noExplicitAny: JSON Schema, whose keywords are read one by one.
export type Schema = any;

/** Resolves a `$ref`. */
export type Resolve = (schema: Schema) => Schema;

/** Generates values for a schema: valid values, values at its bounds, and invalid values. */
export function valuesOf(schema: Schema, resolve: Resolve): fc.Arbitrary<unknown> {
  return weighted([4, validFor(schema, resolve)], [2, atBoundsOf(resolve(schema))], [3, hostileValue]);
}

/** Generates valid values of a schema. A pattern or format yields only its examples. */
export function validFor(given: Schema, resolve: Resolve): fc.Arbitrary<unknown> {
  const schema = resolve(given);
  const branches = schema.anyOf ?? (schema.type === undefined ? schema.oneOf : undefined);
  if (branches) return fc.oneof(...branches.map((branch: Schema) => validFor(branch, resolve)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const example = schema.examples?.[0];
  switch (schema.type) {
    case 'string':
      return fc.constantFrom(...(example === undefined ? ['text', 'a', 'Ä 😀'] : [example]));
    case 'integer':
    case 'number':
      return fc.constantFrom(
        example ?? schema.default ?? schema.minimum ?? 1,
        schema.minimum ?? 0,
        schema.maximum ?? 9,
      );
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(validFor(schema.items ?? {}, resolve), { minLength: schema.minItems ?? 0, maxLength: 3 });
    case 'object':
      return objectsOf(schema, resolve);
    default:
      return example === undefined ? fc.constantFrom('text', 1, true) : fc.constant(example);
  }
}

function objectsOf(schema: Schema, resolve: Resolve): fc.Arbitrary<unknown> {
  const names = Object.keys(schema.properties ?? {});
  if (names.length === 0) {
    return fc.dictionary(
      fc.constantFrom('X-One', 'X-Two', 'three'),
      validFor(schema.additionalProperties || {}, resolve),
      {
        maxKeys: 3,
      },
    );
  }
  const fields = Object.fromEntries(names.map((name) => [name, validFor(schema.properties[name], resolve)]));
  return fc.record(fields, { requiredKeys: schema.required ?? [] });
}

/** Generates values at the bounds of a schema, and one step beyond. */
function atBoundsOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.type === 'integer' || schema.type === 'number') {
    const bounds = [schema.minimum, schema.maximum].filter((bound) => bound !== undefined);
    const values = bounds.flatMap((bound: number) => [bound, bound - 1, bound + 1, bound + 0.5, String(bound)]);
    return values.length > 0 ? fc.constantFrom(...values) : hostileNumber;
  }
  if (schema.type === 'string' && schema.maxLength !== undefined) {
    return fc.constantFrom(
      'x'.repeat(schema.maxLength),
      'x'.repeat(schema.maxLength + 1),
      'é'.repeat(schema.maxLength),
    );
  }
  if (schema.type === 'array') {
    return fc.constantFrom(
      [],
      Array.from({ length: (schema.maxItems ?? 1_000) + 1 }, () => 'a'),
    );
  }
  return hostileText;
}
