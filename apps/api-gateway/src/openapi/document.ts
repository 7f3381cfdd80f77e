import { eventBody } from '@capture/contract/api/webhook-responses';
import { sampleEvent } from '@capture/contract/events/sample-events';
import type { ContractForm, EventName } from '@capture/contract/forms/forms';
import { sessionCookieName } from '../auth/session-cookie.ts';
import type { Route } from '../http/route.ts';
import { accountOperations } from './account-operations.ts';
import { batchOperations } from './batch-operations.ts';
import { captureOperations } from './capture-operations.ts';
import { componentSchemas, nameOf } from './components.ts';
import { headerComponents } from './headers.ts';
import { jsonSchema, referenceTo } from './json-schema.ts';
import type { Operation, Operations } from './operation.ts';
import { operatorOperations } from './operator-operations.ts';
import { headerParameters, parametersOf } from './parameters.ts';
import { responsesOf } from './responses.ts';
import { serviceOperations } from './service-operations.ts';
import { tags } from './tags.ts';
import { webhookOperations } from './webhook-operations.ts';

/** What the document says of each route of a form, by method and path. */
export function operationsOf(form: ContractForm): Operations {
  return {
    ...captureOperations,
    ...batchOperations,
    ...webhookOperations(form),
    ...accountOperations,
    ...operatorOperations(form),
    ...serviceOperations,
  };
}

/**
 * The OpenAPI 3.1 document of what is served: the route table's rows, each with its operation, and the schemas by which
 * requests are checked.
 *
 * @throws for a route that no operation describes.
 */
export function openApiDocument(form: ContractForm, routes: readonly Route[], publicUrl: string): object {
  const operations = operationsOf(form);
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const operation = operations[`${route.method} ${route.path}`];
    if (!operation) throw new Error(`the document says nothing of ${route.method} ${route.path}`);
    const path = documentPath(route.path);
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = operationObject(form, route, operation);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Capture platform',
      version: '1',
      description: `${introduction}\n\n${planTable(form)}`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: Object.fromEntries(form.events.names.map((name) => [name, eventObject(form, name)])),
    components: {
      schemas: componentSchemas(),
      parameters: headerParameters,
      headers: headerComponents(form),
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An account’s key.' },
        bearer: { type: 'http', scheme: 'bearer', description: 'An account’s key.' },
        operatorKey: { type: 'http', scheme: 'bearer', description: 'The operator’s key.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookieName(publicUrl),
          description: 'A session of the dashboard in place of its key, for requests of the service’s own pages.',
        },
      },
    },
  };
}

const introduction =
  'Turns web pages into screenshots, PDFs and OG images. Every path under `/api/v1` needs an API key; measures are CSS pixels and milliseconds unless said.';

/** The form's plans, in Markdown. */
function planTable(form: ContractForm): string {
  const said = (limit: number | null) => (limit === null ? 'unlimited' : limit.toLocaleString('en-US'));
  const rows = Object.entries(form.plans).map(
    ([name, plan]) =>
      `| ${name} | ${said(plan.monthlyLimit)} | ${said(plan.perSecond)} | ${plan.burst} | ${plan.fileRetentionDays} |`,
  );
  return [
    '| plan | captures a month | requests a second | burst | days that files are kept |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** A path as the document spells it: `/api/v1/captures/{id}`, also where a parameter takes in all that follows. */
export function documentPath(path: string): string {
  return path.replaceAll(/[:*](\w+)/g, '{$1}');
}

const security = {
  key: [{ apiKey: [] }, { bearer: [] }, { session: [] }],
  operator: [{ operatorKey: [] }, { session: [] }],
  none: [],
} as const;

function operationObject(form: ContractForm, route: Route, operation: Operation): object {
  const { id, tag, summary, description, body } = operation;
  const parameters = parametersOf(route, operation);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: security[route.auth],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBody(body) }),
    responses: responsesOf(form, route, operation),
  };
}

function requestBody({ schema, example, required }: NonNullable<Operation['body']>): object {
  const name = nameOf(schema);
  const shown = name === undefined ? jsonSchema(schema, 'input', nameOf) : { $ref: referenceTo(name) };
  return { required, content: { 'application/json': { schema: shown, example } } };
}

/** When the samples of the document were made. */
const sampleTime = new Date('2026-11-20T10:00:00Z');

function eventObject(form: ContractForm, name: EventName): object {
  const example = JSON.parse(sampleEvent(form, name, sampleTime).body.toString('utf8'));
  return {
    post: {
      operationId: `receive${name.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
      tags: ['Webhooks'],
      summary: `The event ${name}`,
      description: `Posted to your endpoint, signed: \`X-Service-Signature\` is ${form.signature.prefix ? `\`${form.signature.prefix}\` and ` : ''}the HMAC-SHA256 of the raw body in hex.`,
      security: [],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: jsonSchema(eventBody(form, name), 'output', nameOf), example } },
      },
      responses: {
        '2XX': { description: 'Received.' },
        '4XX': { description: 'Not received.' },
      },
    },
  };
}
