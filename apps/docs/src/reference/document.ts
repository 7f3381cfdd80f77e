/** The parts of an OpenAPI document that pages show. */
export interface OpenApiDocument {
  info: { description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DocumentOperation>>;
  webhooks: Record<string, { post: DocumentOperation }>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  maxLength?: number;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema?: Schema;
  content?: Record<string, { schema: Schema }>;
}

export interface Content {
  schema: Schema;
  example?: unknown;
}

interface DocumentOperation {
  operationId: string;
  tags: [string];
  summary: string;
  description?: string;
  security: Record<string, unknown>[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { required: boolean; content: { 'application/json': Content } };
  responses: Record<string, { description: string; content?: Record<string, Content> }>;
}

export interface Operation extends Omit<DocumentOperation, 'parameters'> {
  method: string;
  path: string;
  parameters: Parameter[];
}

/** Lists every operation of a document, in its order. */
export function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      parameters: (operation.parameters ?? []).map((parameter) => resolveParameter(document, parameter)),
    })),
  );
}

function resolveParameter(document: OpenApiDocument, parameter: Parameter | { $ref: string }): Parameter {
  if (!('$ref' in parameter)) return parameter;
  const found = document.components.parameters[lastPart(parameter.$ref)];
  if (!found) throw new Error(`${parameter.$ref} is not in the document`);
  return found;
}

export const lastPart = (reference: string): string => reference.split('/').at(-1) ?? '';

/** Returns the schema of a parameter, whether it is written plainly or as JSON. */
export function schemaOf({ schema, content }: Parameter): Schema {
  return schema ?? content?.['application/json']?.schema ?? {};
}

export function successesOf({ responses }: Operation) {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, { description, content = {} }]) => ({ status, description, content }));
}
