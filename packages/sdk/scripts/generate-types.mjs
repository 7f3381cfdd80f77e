import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compile } from 'json-schema-to-typescript';
import { readDocument } from './read-document.mjs';

// Writes `src/generated/api-types.ts` before each build: the types of the OpenAPI document of the built gateway.
const sdk = path.join(import.meta.dirname, '..');

const document = readDocument('B');
mkdirSync(path.join(sdk, 'src/generated'), { recursive: true });
writeFileSync(path.join(sdk, 'src/generated/api-types.ts'), await generateTypes(document));

/**
 * Returns types of the named schemas of the document, and of the query, body and JSON responses of each operation, named after
 * the operation (`ListCapturesQuery`, `RegisterWebhookBody`, `GetUsageResponse`).
 */
async function generateTypes(document) {
  // The name `Error` would shadow the global class.
  const { Error: ErrorBody, ...named } = document.components.schemas;
  const definitions = { ...named, ErrorBody };
  for (const operation of Object.values(document.paths).flatMap(Object.values)) {
    for (const [name, schema] of schemasOf(operation)) definitions[name] ??= schema;
  }
  const everything = {
    title: 'Everything',
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(Object.keys(definitions).map((name) => [name, { $ref: `#/definitions/${name}` }])),
    definitions: Object.fromEntries(
      Object.entries(definitions).map(([name, schema]) => [name, readable(schema, name)]),
    ),
  };
  const text = await compile(everything, 'Everything', {
    bannerComment: '',
    format: false,
    additionalProperties: false,
    declareExternallyReferenced: true,
    unknownAny: true,
    maxItems: -1,
    ignoreMinAndMaxItems: true,
  });
  const withoutRoot = text.replace(/export interface Everything \{.*?\n\}\n/s, '');
  // This is an object without fields, but `{}` would mean any value.
  return withoutRoot.replaceAll(/\{\s*\}/g, 'Record<string, never>');
}

function schemasOf(operation) {
  const name = operation.operationId.replace(/^./, (letter) => letter.toUpperCase());
  const found = [];
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  // The query of a capture has the same options as its body.
  if (query.length > 0 && !operation.responses['202']) found.push([`${name}Query`, queryObject(query)]);
  const body = operation.requestBody?.content['application/json']?.schema;
  if (body && !body.$ref) found.push([`${name}Body`, body]);
  for (const [status, response] of Object.entries(operation.responses)) {
    const responseSchema = response.content?.['application/json']?.schema;
    if (!responseSchema || responseSchema.$ref || Number(status) >= 300) continue;
    found.push([
      `${name}Response${found.some(([other]) => other === `${name}Response`) ? status : ''}`,
      responseSchema,
    ]);
  }
  return found;
}

function queryObject(parameters) {
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(
      parameters.map(({ name, schema, description }) => [name, { ...schema, ...(description && { description }) }]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** Simplifies a schema for the type compiler. */
function readable(schema, name) {
  const { oneOf: _either, ...rest } = schema;
  return { ...walk(rest), title: name };
}

/** Removes keywords that do not affect the type from a schema. The default goes into the description. */
function walk(value) {
  if (Array.isArray(value)) return value.map(walk);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, examples: _examples, propertyNames: _names, default: preset, ...rest } = value;
  if (typeof $ref === 'string') return { $ref: $ref.replace('#/components/schemas/', '#/definitions/') };
  const walked = Object.fromEntries(Object.entries(rest).map(([key, child]) => [key, walk(child)]));
  const described = withDefault(walked.description, preset ?? rest.anyOf?.[0].default);
  return described === undefined ? walked : { ...walked, description: described };
}

/** Adds the default to a description that mentions none. */
function withDefault(description, preset) {
  if (typeof description !== 'string' || preset === undefined || typeof preset === 'object') return undefined;
  return /unless|required/.test(description) ? undefined : `${description} \`${preset}\` unless given.`;
}
