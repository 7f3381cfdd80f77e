import { z } from 'zod';

export type JsonSchema = { [keyword: string]: unknown };

/**
 * A zod schema as JSON Schema 2020-12, the dialect of OpenAPI 3.1. From `meta`, `example` becomes one of `examples`, and
 * `unit` is also added to the description, because viewers do not show custom keywords.
 *
 * @param io `input` for a request, `output` for a response.
 * @param refer returns the name of a schema among the document's components, if it has one.
 */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output', refer: (schema: unknown) => string | undefined) {
  const converted = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema: json }) {
      const name = Object.is(zodSchema, schema) ? undefined : refer(zodSchema);
      if (name !== undefined) {
        for (const keyword of Object.keys(json)) delete json[keyword];
        json.$ref = referenceTo(name);
        return;
      }
      tidy(json);
    },
  });
  const { $schema: _dialect, ...rest } = converted;
  return rest as JsonSchema;
}

export function referenceTo(name: string): string {
  return `#/components/schemas/${name}`;
}

function tidy(schema: JsonSchema): void {
  // JavaScript's bounds of integers are in no schema of this project.
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  // The format already says this.
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
