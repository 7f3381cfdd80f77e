import { pageRequest } from '@capture/contract/api/paging';
import { pageOfRows } from '@capture/contract/api/responses';
import {
  connectivityTest,
  endpointChange,
  endpointRegistration,
  secretRotation,
} from '@capture/contract/api/webhook-requests';
import * as schemas from '@capture/contract/api/webhook-responses';
import { invalidRequest } from '@capture/contract/errors';
import { generateSigningSecret } from '@capture/contract/forms/signing-secret';
import { parseRequest } from '@capture/contract/options/parse-request';
import { endpointSecretOf } from '@capture/database/accounts/signing-secret';
import { databaseNow } from '@capture/database/database-clock';
import { changeEndpoint } from '@capture/database/endpoints/change-endpoint';
import {
  deleteEndpoint,
  endpointsAtMost,
  findEndpoint,
  listEndpoints,
  registerEndpoint,
  rotateEndpointSecret,
} from '@capture/database/endpoints/endpoints';
import { newId } from '@capture/database/ids';
import { sendSignal } from '@capture/queue/signals';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { KeyExchange } from '../../http/exchange.ts';
import { pageOf, parsePage, pathParameter } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';
import { checkReceiver } from '../../webhooks/check-receiver.ts';
import { createReceiverTests } from '../../webhooks/receiver-test.ts';
import { endpointRecord, noSuchEndpoint } from '../../webhooks/webhook-records.ts';
import { type TestDependencies, testEndpointRoute, testReceiver } from './webhook-test.ts';

const path = '/api/v1/webhooks';

interface EndpointDependencies extends TestDependencies {
  redis: Redis;
}

/** Routes for registered endpoints; only in a form with registration. */
export function endpointRoutes(dependencies: EndpointDependencies): Route[] {
  const { form } = dependencies;
  const test = createReceiverTests(dependencies);
  return [
    {
      method: 'POST',
      path,
      auth: 'key',
      cost: 'none',
      showsSecret: true,
      id: 'registerWebhook',
      tag: 'Webhooks',
      summary: 'Register an endpoint',
      description:
        'With `webhook_url` instead of `url`, runs the connectivity test: posts a sample of the first of `events` and returns 200.',
      body: {
        schema: z.union([endpointRegistration(form), connectivityTest(form)]),
        example: { url: 'https://hooks.example.com/captures', events: ['capture.completed', 'capture.failed'] },
        required: true,
      },
      responses: {
        200: { description: 'The result of the connectivity test.', json: schemas.testOutcome },
        201: { description: 'The endpoint.', json: schemas.registeredEndpoint(form) },
      },
      // `webhook_url` instead of `url` runs the connectivity test.
      handle: (exchange: KeyExchange) =>
        namesTestUrl(exchange.req.body) ? testReceiver(dependencies, exchange, test) : register(dependencies, exchange),
    },
    listEndpointsRoute(dependencies),
    endpointRoute(dependencies),
    changeEndpointRoute(dependencies),
    deleteEndpointRoute(dependencies),
    testEndpointRoute(dependencies, test),
    rotateEndpointSecretRoute(dependencies),
  ];
}

function namesTestUrl(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'webhook_url' in body && !('url' in body);
}

async function register(dependencies: TestDependencies, { req, res, caller, facts }: KeyExchange): Promise<void> {
  const { form, database, encryptor } = dependencies;
  const request = parseRequest(endpointRegistration(form), req.body, 'a webhook');
  checkReceiver(dependencies, request.url, 'url');
  const id = newId('wh');
  const secret = request.secret ?? generateSigningSecret();
  const endpoint = await registerEndpoint(database, {
    id,
    accountId: caller.accountId,
    url: request.url,
    events: request.events,
    signingSecret: encryptor.encrypt(secret, endpointSecretOf(id)),
    createdAt: databaseNow(),
  });
  if (!endpoint) {
    const message = `exceeds the limit of ${endpointsAtMost} webhooks per account; delete one first`;
    throw invalidRequest([{ field: 'url', message }]);
  }
  facts.webhook_id = id;
  const { disabled_reason: _, failing_since: __, ...record } = endpointRecord(endpoint);
  res.status(201).json({ ...record, ...(request.secret === undefined && { secret }) });
}

function listEndpointsRoute({ form, database }: EndpointDependencies): Route {
  return {
    method: 'GET',
    path,
    auth: 'key',
    cost: 'none',
    id: 'listWebhooks',
    tag: 'Webhooks',
    summary: 'List endpoints',
    description: 'Newest first. Secrets are not shown again.',
    query: pageRequest('wh'),
    responses: {
      200: { description: 'A page of endpoints.', json: pageOfRows('webhooks', schemas.endpoint(form)) },
    },
    async handle({ req, res, caller }) {
      const { limit, after } = parsePage(req, 'wh');
      const found = await listEndpoints(database, { accountId: caller.accountId, after, limit: limit + 1 });
      res.json(pageOf('webhooks', found, limit, endpointRecord));
    },
  };
}

function endpointRoute({ form, database }: EndpointDependencies): Route {
  return {
    method: 'GET',
    path: `${path}/:id`,
    auth: 'key',
    cost: 'none',
    id: 'getWebhook',
    tag: 'Webhooks',
    summary: 'Get an endpoint',
    description: 'Its events and status, and since when it has failed.',
    responses: { 200: { description: 'The endpoint.', json: schemas.endpoint(form) } },
    async handle({ req, res, caller }) {
      const endpoint = await findEndpoint(database, { id: pathParameter(req, 'id'), accountId: caller.accountId });
      if (!endpoint) throw noSuchEndpoint();
      res.json(endpointRecord(endpoint));
    },
  };
}

function changeEndpointRoute(dependencies: EndpointDependencies): Route {
  const { form, database, redis } = dependencies;
  const change = endpointChange(form);
  return {
    method: 'PATCH',
    path: `${path}/:id`,
    auth: 'key',
    cost: 'none',
    id: 'changeWebhook',
    tag: 'Webhooks',
    summary: 'Change, pause or resume an endpoint',
    description: 'Setting a disabled endpoint to `active` sends its held deliveries.',
    body: { schema: change, example: { status: 'paused' }, required: true },
    responses: { 200: { description: 'The endpoint.', json: schemas.endpoint(form) } },
    async handle({ req, res, caller, facts }) {
      const changes = parseRequest(change, req.body, 'a webhook');
      checkReceiver(dependencies, changes.url, 'url');
      const id = pathParameter(req, 'id');
      facts.webhook_id = id;
      const endpoint = await changeEndpoint(database.pool, { id, accountId: caller.accountId }, changes);
      if (!endpoint) throw noSuchEndpoint();
      if (changes.status === 'active' || changes.url !== undefined) void sendSignal(redis, 'deliveriesDue');
      res.json(endpointRecord(endpoint));
    },
  };
}

function deleteEndpointRoute({ database }: EndpointDependencies): Route {
  return {
    method: 'DELETE',
    path: `${path}/:id`,
    auth: 'key',
    cost: 'none',
    id: 'deleteWebhook',
    tag: 'Webhooks',
    summary: 'Delete an endpoint',
    description: 'Its pending deliveries end as `failed` with `endpoint_deleted`.',
    responses: { 204: { description: 'Deleted.' } },
    async handle({ req, res, caller, facts }) {
      const id = pathParameter(req, 'id');
      facts.webhook_id = id;
      if (!(await deleteEndpoint(database.pool, { id, accountId: caller.accountId }))) {
        throw noSuchEndpoint();
      }
      res.status(204).end();
    },
  };
}

function rotateEndpointSecretRoute({ database, encryptor }: EndpointDependencies): Route {
  return {
    method: 'POST',
    path: `${path}/:id/rotate-secret`,
    auth: 'key',
    cost: 'none',
    showsSecret: true,
    id: 'rotateWebhookSecret',
    tag: 'Webhooks',
    summary: 'Rotate an endpoint’s secret',
    description: 'Returns the new secret once.',
    body: { schema: secretRotation, example: {}, required: false },
    responses: {
      200: {
        description: 'The new secret. It is shown only once.',
        json: z.strictObject({ secret: z.string(), previous_valid_until: z.iso.datetime() }),
      },
    },
    async handle({ req, res, caller, facts }) {
      const { secret = generateSigningSecret() } = parseRequest(secretRotation, req.body ?? {}, 'a rotation');
      const id = pathParameter(req, 'id');
      facts.webhook_id = id;
      const until = await rotateEndpointSecret(database.pool, encryptor, { id, accountId: caller.accountId, secret });
      if (!until) throw noSuchEndpoint();
      res.json({ secret, previous_valid_until: until.toISOString() });
    },
  };
}
