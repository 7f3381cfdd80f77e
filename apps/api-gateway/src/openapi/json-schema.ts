import { z } from 'zod';

export type JsonSchema = { [keyword: string]: unknown };

/**
 * A zod schema as JSON Schema 2020-12, which OpenAPI 3.1 takes as it is. Of what `meta` says, `example` becomes one of
 * `examples`, and `unit` is put into the description as well, since readers show no keywords of our own.
 *
 * @param io a request's schema as it is written, an answer's as it is read.
 * @param refer gives the name under which a schema stands among the document's components, if it does.
 */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output', refer: (schema: unknown) => string | undefined) {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema: made }) {
      const name = Object.is(zodSchema, schema) ? undefined : refer(zodSchema);
      if (name !== undefined) {
        for (const keyword of Object.keys(made)) delete made[keyword];
        made.$ref = referenceTo(name);
        return;
      }
      tidy(made);
    },
  });
  const { $schema: _dialect, ...rest } = made;
  return rest as JsonSchema;
}

export function referenceTo(name: string): string {
  return `#/components/schemas/${name}`;
}

function tidy(schema: JsonSchema): void {
  // The bounds of whole numbers in JavaScript: nobody asked for them.
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  // The format says it in one word.
  if (schema.format === 'date-time' || schema.format === 'email') delete schema.pattern;
  const { example, unit, description } = schema;
  if (example !== undefined) {
    schema.examples = [example];
    delete schema.example;
  }
  if (typeof unit === 'string') {
    schema['x-unit'] = unit;
    schema.description = [description, `Unit: ${unit}.`].filter(Boolean).join(' ');
    delete schema.unit;
  }
}
