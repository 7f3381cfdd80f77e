import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type FormName, forms } from '@capture/contract/forms/forms';
import { repositoryRoot } from '@capture/testing/test-run';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { isDocumented } from '../../http/route.ts';
import { documentPath } from '../../openapi/document.ts';
import { routeTable } from '../../route-table.ts';
import { startTestGateway, type TestGateway } from '../../test-gateway.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is read like any JSON.
type Json = any;

const PUBLIC_URL = 'https://captures.acme.test';

/** The gateway of each form and its document, which takes most of a second to build. */
const gateways = new Map<FormName, TestGateway>();
const documents = new Map<FormName, Json>();

beforeAll(async () => {
  for (const form of ['A', 'B'] as const) {
    const gateway = await startTestGateway(form, { settings: { PUBLIC_URL, SMTP_URL: 'smtp://127.0.0.1:1' } });
    gateways.set(form, gateway);
    const { body } = await gateway.http
      .get('/openapi.json')
      .expect(200)
      .expect('Content-Type', /^application\/json/);
    documents.set(form, body);
  }
});

afterAll(async () => {
  for (const gateway of gateways.values()) await gateway.close();
});

const documentOf = (form: FormName): Json => documents.get(form);
const routesOf = (form: FormName) => routeTable(gateways.get(form) as TestGateway);

/** Paths that are named in parts, or tested elsewhere. */
const testedOtherwise = new Set([
  '/api/v1/captures/{id}/thumbnail', // thumbnail.test.ts
  '/api/operator/secrets', // apps/ops, which calls both
  '/api/operator/secrets/reencrypt',
]);

it('every path below /api is named in a test', () => {
  const folder = path.join(repositoryRoot, 'apps', 'api-gateway', 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'));
  const tests = files.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('\n');
  const isNamed = (at: string) =>
    new RegExp(at.replaceAll(/\{\w+\}/g, '[^/\\s\'"`]+')).test(tests) || testedOtherwise.has(at);
  const paths = [...documents.values()].flatMap((document) => Object.keys(document.paths));
  expect(paths.filter((at) => at.startsWith('/api/') && !isNamed(at))).toEqual([]);
});

describe.each<FormName>(['A', 'B'])('the document of form %s', (name) => {
  it('passes the linter', async () => {
    const document = documentOf(name);
    const config = await createConfig({
      extends: ['recommended'],
      // In OpenAPI, as in this router, a fixed path takes precedence over a path with a parameter.
      rules: { 'no-ambiguous-paths': 'off' },
    });
    const found = await lintFromString({ source: JSON.stringify(document), config });
    const problems = found.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
    expect(problems).toEqual([]);
  });

  it('has exactly the paths and methods of the route table', () => {
    const document = documentOf(name);
    const documented = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const offered = routesOf(name).filter(isDocumented);
    const routes = offered.map(({ method, path }) => `${method} ${documentPath(path)}`);
    expect(documented.sort()).toEqual(routes.sort());
  });

  it('states the authentication, body and rate limit of each route', () => {
    const document = documentOf(name);
    const schemes = { key: ['apiKey', 'bearer', 'session'], operator: ['operatorKey', 'session'], none: [] };
    for (const route of routesOf(name).filter(isDocumented)) {
      const operation = document.paths[documentPath(route.path)][route.method.toLowerCase()];
      const where = `${route.method} ${route.path}`;
      expect([where, operation.security.flatMap(Object.keys)]).toEqual([where, schemes[route.auth]]);
      expect([where, operation.requestBody !== undefined]).toEqual([where, route.body !== undefined]);
      const signsIn = where === 'POST /api/auth/session';
      expect([where, '401' in operation.responses]).toEqual([where, route.auth !== 'none' || signsIn]);
      expect([where, '429' in operation.responses]).toEqual([
        where,
        route.auth !== 'none' ||
          where.endsWith('/register') ||
          where.endsWith('/sign-in-link') ||
          where.startsWith('GET /r/') ||
          where.startsWith('GET /files/') ||
          signsIn,
      ]);
    }
  });

  it('has only the form’s own events and headers', () => {
    const form = forms[name];
    const document = documentOf(name);
    expect(Object.keys(document.webhooks)).toEqual(form.events.names);
    const completed = document.webhooks['capture.completed'].post.requestBody.content['application/json'].schema;
    for (const field of ['duration_ms', 'file_url', 'expires_at'] as const) {
      expect(field in completed.properties.data.properties).toBe(form.events.completedFields.includes(field));
    }
    for (const [plan, { fileRetentionDays }] of Object.entries(form.plans)) {
      expect(document.info.description).toMatch(new RegExp(`\\| ${plan} \\|.*\\| ${fileRetentionDays} \\|`));
    }
    expect('X-RateLimit-Reset' in document.components.headers).toBe(form.headers.rateLimitReset);
    expect('/api/v1/webhooks/deliveries' in document.paths).toBe(form.webhooks.registration);
  });
});

it.each<FormName>(['A', 'B'])('gives every route of form %s a different operation id', (name) => {
  const ids = routesOf(name).map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
});

describe('options', () => {
  it('have a description, unit, range, default and example', () => {
    const { schemas } = documentOf('B').components;
    expect(schemas.ScreenshotRequest.properties.width).toEqual({
      type: 'integer',
      minimum: 16,
      maximum: 7_680,
      default: 1_280,
      examples: [1_440],
      description: 'Width of the viewport. Unit: CSS pixels.',
      'x-unit': 'CSS pixels',
    });
    expect(schemas.PdfRequest.properties.paper).toMatchObject({
      enum: ['A3', 'A4', 'A5', 'Letter', 'Legal', 'Tabloid'],
      default: 'A4',
    });
    expect(schemas.OgImageRequest.properties).not.toHaveProperty('width');
    expect(schemas.OgImageRequest.additionalProperties).toBe(false);
    expect(schemas.BatchRequest.properties.items.items.anyOf).toHaveLength(4);
    for (const name of ['ScreenshotRequest', 'PdfRequest', 'OgImageRequest', 'ContentRequest']) {
      for (const [option, { description, examples }] of Object.entries<Json>(schemas[name].properties)) {
        expect({ option, description, examples }).toEqual({
          option,
          description: expect.stringMatching(/\.$/),
          examples: [expect.anything()],
        });
      }
    }
  });

  it('may be null in a batch item to unset the batch’s value, except url and type', () => {
    const { ScreenshotItem, PdfItem } = documentOf('B').components.schemas;
    const { url, type, width, click } = ScreenshotItem.properties;
    expect([url.type, type.type]).toEqual(['string', 'string']);
    expect(width).toEqual({
      description: 'Width of the viewport. Unit: CSS pixels.',
      anyOf: [expect.objectContaining({ type: 'integer', minimum: 16 }), { type: 'null' }],
    });
    expect(click.anyOf.map((branch: Json) => branch.type)).toEqual(['string', 'array', 'null']);
    expect(PdfItem.properties.paper.anyOf.at(-1)).toEqual({ type: 'null' });
  });

  it('are the query parameters of a GET, without body-only options', () => {
    const { paths } = documentOf('B');
    const parameters: Json[] = paths['/api/v1/screenshot'].get.parameters;
    const named = (name: string) => parameters.find((parameter) => parameter.name === name);
    expect(named('url')).toMatchObject({ in: 'query', required: true, schema: { type: 'string', maxLength: 8_192 } });
    expect(named('html')).toBeUndefined();
    expect(named('full_page').required).toBeUndefined();
    expect(named('hide_selectors')).toMatchObject({ style: 'form', explode: false, schema: { type: 'array' } });
    expect(named('clip').content['application/json'].schema.required).toEqual(['x', 'y', 'width', 'height']);
    expect(named('cookies').content['application/json'].schema.type).toBe('array');
    const once = paths['/api/v1/screenshot'].post.parameters;
    expect(once).toEqual([{ $ref: '#/components/parameters/Idempotency-Key' }]);
  });
});
