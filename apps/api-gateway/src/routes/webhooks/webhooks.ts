import { endpointChange, endpointRegistration, secretRotation } from '@capture/contract/api/webhook-requests';
import { invalidRequest } from '@capture/contract/errors';
import { generateSigningSecret } from '@capture/contract/forms/signing-secret';
import { parseRequest } from '@capture/contract/options/parse-request';
import { endpointSecretOf } from '@capture/database/accounts/signing-secret';
import { changeEndpoint } from '@capture/database/endpoints/change-endpoint';
import { deleteEndpoint } from '@capture/database/endpoints/delete-endpoint';
import { findEndpoint, listEndpoints } from '@capture/database/endpoints/find-endpoints';
import { endpointsAtMost, registerEndpoint } from '@capture/database/endpoints/register-endpoint';
import { rotateEndpointSecret } from '@capture/database/endpoints/rotate-endpoint-secret';
import { newId } from '@capture/database/ids';
import { sendSignal } from '@capture/queue/signals';
import type { Dependencies } from '../../dependencies.ts';
import type { KeyExchange } from '../../http/exchange.ts';
import { pageOf, parsePage, pathParameter } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';
import { checkReceiver } from '../../webhooks/check-receiver.ts';
import { createReceiverTests } from '../../webhooks/receiver-test.ts';
import { endpointRecord, noSuchEndpoint } from '../../webhooks/webhook-records.ts';
import { testEndpointRoute, testReceiver } from './webhook-test.ts';

const path = '/api/v1/webhooks';

/** Registered endpoints; only in a form that has registration. */
export function endpointRoutes(dependencies: Dependencies): Route[] {
  const test = createReceiverTests(dependencies);
  return [
    {
      method: 'POST',
      path,
      auth: 'key',
      cost: 'none',
      body: 'json',
      showsSecret: true,
      // `webhook_url` in place of `url` asks for the connectivity test.
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

async function register(dependencies: Dependencies, { req, res, caller, facts }: KeyExchange): Promise<void> {
  const { form, database, encryptor } = dependencies;
  const request = parseRequest(endpointRegistration(form), req.body, 'a webhook');
  checkReceiver(dependencies, request.url, 'url');
  const id = newId('wh');
  const secret = request.secret ?? generateSigningSecret();
  const endpoint = await registerEndpoint(database.pool, {
    id,
    accountId: caller.accountId,
    url: request.url,
    events: request.events,
    signingSecret: encryptor.seal(secret, endpointSecretOf(id)),
    createdAt: new Date(),
  });
  if (!endpoint) {
    const message = `is one too many: an account has at most ${endpointsAtMost} webhooks; delete one`;
    throw invalidRequest([{ field: 'url', message }]);
  }
  facts.webhook_id = id;
  const { disabled_reason: _, ...record } = endpointRecord(endpoint);
  res.status(201).json({ ...record, ...(request.secret === undefined && { secret }) });
}

function listEndpointsRoute({ database }: Pick<Dependencies, 'database'>): Route {
  return {
    method: 'GET',
    path,
    auth: 'key',
    cost: 'none',
    async handle({ req, res, caller }) {
      const { limit, after } = parsePage(req);
      const found = await listEndpoints(database.pool, { accountId: caller.accountId, after, limit: limit + 1 });
      res.json(pageOf('webhooks', found, limit, endpointRecord));
    },
  };
}

function endpointRoute({ database }: Pick<Dependencies, 'database'>): Route {
  return {
    method: 'GET',
    path: `${path}/:id`,
    auth: 'key',
    cost: 'none',
    async handle({ req, res, caller }) {
      const endpoint = await findEndpoint(database.pool, { id: pathParameter(req, 'id'), accountId: caller.accountId });
      if (!endpoint) throw noSuchEndpoint();
      res.json(endpointRecord(endpoint));
    },
  };
}

function changeEndpointRoute(dependencies: Dependencies): Route {
  const { form, database, redis } = dependencies;
  const change = endpointChange(form);
  return {
    method: 'PATCH',
    path: `${path}/:id`,
    auth: 'key',
    cost: 'none',
    body: 'json',
    async handle({ req, res, caller, facts }) {
      const changes = parseRequest(change, req.body, 'a webhook');
      checkReceiver(dependencies, changes.url, 'url');
      const id = pathParameter(req, 'id');
      facts.webhook_id = id;
      const endpoint = await changeEndpoint(database.pool, { id, accountId: caller.accountId }, changes, new Date());
      if (!endpoint) throw noSuchEndpoint();
      if (changes.status === 'active' || changes.url !== undefined) void sendSignal(redis, 'deliveriesDue');
      res.json(endpointRecord(endpoint));
    },
  };
}

function deleteEndpointRoute({ database }: Pick<Dependencies, 'database'>): Route {
  return {
    method: 'DELETE',
    path: `${path}/:id`,
    auth: 'key',
    cost: 'none',
    async handle({ req, res, caller, facts }) {
      const id = pathParameter(req, 'id');
      facts.webhook_id = id;
      if (!(await deleteEndpoint(database.pool, { id, accountId: caller.accountId }, new Date()))) {
        throw noSuchEndpoint();
      }
      res.status(204).end();
    },
  };
}

function rotateEndpointSecretRoute({ database, encryptor }: Pick<Dependencies, 'database' | 'encryptor'>): Route {
  return {
    method: 'POST',
    path: `${path}/:id/rotate-secret`,
    auth: 'key',
    cost: 'none',
    body: 'json',
    showsSecret: true,
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
