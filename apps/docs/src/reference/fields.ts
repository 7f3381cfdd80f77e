import { lastPart, type OpenApiDocument, type Parameter, type Schema, schemaOf } from './document.ts';

/** A line of a table of fields, with the fields inside it. */
export interface Field {
  name: string;
  type: string;
  required: boolean;
  description: string;
  /** Default, range and example, each with its label: `Default` → `1280`. */
  facts: [string, string][];
  fields: Field[];
}

/** Deeper schemas are named and not shown, but no schema of this project is deeper. */
const deepest = 6;

/** Lists the fields of an object's schema, or of all branches of a schema with several. */
export function fieldsOf(document: OpenApiDocument, schema: Schema, depth = 0): Field[] {
  if (depth > deepest) return [];
  const objects = objectsOf(document, schema);
  const found = new Map<string, Field>();
  for (const { properties = {}, required = [] } of objects) {
    for (const [name, property] of Object.entries(properties)) {
      const isRequired = objects.length === 1 && required.includes(name);
      if (!found.has(name)) found.set(name, fieldOf(document, name, property, isRequired, depth));
    }
  }
  return [...found.values()];
}

export function parameterField(document: OpenApiDocument, parameter: Parameter): Field {
  const schema = schemaOf(parameter);
  const { description = schema.description } = parameter;
  const field = fieldOf(document, parameter.name, schema, parameter.required === true, 0);
  return { ...field, description: description ?? '' };
}

function fieldOf(document: OpenApiDocument, name: string, schema: Schema, required: boolean, depth: number): Field {
  const resolved = resolve(document, schema);
  const facts: [string, string][] = [];
  const add = (label: string, value: unknown) => {
    if (value !== undefined) facts.push([label, typeof value === 'string' ? value : JSON.stringify(value)]);
  };
  add('Default', schema.default);
  add('Range', rangeOf(schema));
  const [example] = schema.examples ?? [];
  if (example !== schema.default) add('Example', example);
  return {
    name,
    type: typeOf(document, schema),
    required,
    description: schema.description ?? resolved.description ?? '',
    facts,
    fields: fieldsOf(document, schema, depth + 1),
  };
}

function rangeOf({ minimum, maximum }: Schema): string | undefined {
  if (minimum === undefined) return maximum === undefined ? undefined : `up to ${maximum}`;
  if (maximum === undefined) return minimum === 0 ? undefined : `${minimum} or more`;
  return `${minimum} to ${maximum}`;
}

/** Finds the objects among a schema's branches, also inside an array. */
function objectsOf(document: OpenApiDocument, schema: Schema): Schema[] {
  const one = resolve(document, schema);
  if (one.properties) return [one];
  const branches = one.anyOf ?? one.oneOf ?? (one.items ? [one.items] : []);
  return branches.flatMap((branch) => objectsOf(document, branch));
}

export function resolve(document: OpenApiDocument, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const found = document.components.schemas[lastPart(schema.$ref)];
  if (!found) throw new Error(`${schema.$ref} is not in the document`);
  return found;
}

/** Describes the type in words: `integer or null`, `array of strings`, `png, jpeg or webp`. */
export function typeOf(document: OpenApiDocument, schema: Schema): string {
  const one = resolve(document, schema);
  if (one.const !== undefined) return JSON.stringify(one.const);
  if (one.enum) return listed(one.enum.map((value) => JSON.stringify(value)));
  const branches = one.anyOf ?? (one.properties ? undefined : one.oneOf);
  if (branches) return listed([...new Set(branches.map((branch) => typeOf(document, branch)))]);
  if (one.type === 'array' && one.items) return `array of ${typeOf(document, one.items)}`;
  if (one.type === undefined) return 'any';
  return listed([one.type].flat());
}

function listed(words: string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
