import { eventBody } from '@capture/contract/api/webhook-responses';
import { sampleEvent } from '@capture/contract/events/sample-events';
import type { ContractForm, EventName } from '@capture/contract/forms/forms';
import { describeLimit, describeRetention } from '@capture/contract/forms/plans-file';
import { sessionCookieName } from '../auth/session-cookie.ts';
import { isDocumented, type Route, type Tag } from '../http/route.ts';
import { componentSchemas, nameOf } from './components.ts';
import { headerComponents } from './headers.ts';
import { jsonSchema, referenceTo } from './json-schema.ts';
import { headerParameters, parametersOf } from './parameters.ts';
import { responsesOf } from './responses.ts';

/** Builds the OpenAPI 3.1 document of a deployment from the docs of the route table and the schemas that check requests. */
export function openApiDocument(form: ContractForm, routes: readonly Route[], publicUrl: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    if (!isDocumented(route)) continue;
    const path = documentPath(route.path);
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = operationObject(form, route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Capture platform',
      version: '1',
      description: `${introductionOf(routes)}\n\n${planTable(form)}`,
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
          description: 'A dashboard session instead of a key, for requests from the service’s own pages.',
        },
      },
    },
  };
}

/** The document's sections, in this order. */
const tags: Record<Tag, string> = {
  Captures: 'Screenshots, PDFs and OG images of single web pages.',
  Batches: 'Many captures in one request.',
  Presets: 'Options stored under a name, which requests then name instead of repeating them.',
  Links: 'Images and PDFs behind signed URLs, for pages and mails.',
  Webhooks: 'Notifications of captures that ended.',
  Account: 'The account of a key, its keys and its secrets.',
  Operator: 'For the operator of the service, with the operator key.',
  Service: 'The service itself.',
};

function introductionOf(routes: readonly Route[]): string {
  const services = [...new Set(routes.flatMap(({ protocol }) => protocol?.name ?? []))];
  const named = new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(services);
  return `Turns web pages into screenshots, PDFs and OG images. Every path under \`/api/v1\` needs an API key; lengths are in CSS pixels and times in milliseconds unless stated otherwise. Below \`/compat/\` are the endpoints of ${named}, for programs written for these services; they follow the documents of each service, and our guide to migration has tables of their options.`;
}

/** The form's plans, as a Markdown table. */
function planTable(form: ContractForm): string {
  const rows = Object.entries(form.plans).map(
    ([name, plan]) =>
      `| ${name} | ${describeLimit(plan.monthlyLimit)} | ${describeLimit(plan.perSecond)} | ${describeLimit(plan.burst)} | ${describeRetention(plan.fileRetentionDays)} |`,
  );
  return [
    '| plan | captures per month | requests per second | burst | file retention (days) |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** Converts a path to OpenAPI's syntax, `/api/v1/captures/{id}`, also if a parameter matches several segments. */
export function documentPath(path: string): string {
  return path.replaceAll(/[:*](\w+)/g, '{$1}');
}

const security = {
  key: [{ apiKey: [] }, { bearer: [] }, { session: [] }],
  operator: [{ operatorKey: [] }, { session: [] }],
  none: [],
} as const;

function operationObject(form: ContractForm, route: Route): object {
  const { id, tag, summary, description, body } = route;
  const parameters = parametersOf(route);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: security[route.auth],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBody(body) }),
    responses: responsesOf(form, route),
  };
}

function requestBody({ schema, example, required }: NonNullable<Route['body']>): object {
  const name = nameOf(schema);
  const shown = name === undefined ? jsonSchema(schema, 'input', nameOf) : { $ref: referenceTo(name) };
  return { required, content: { 'application/json': { schema: shown, example } } };
}

/** The time in the document's sample events. */
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
