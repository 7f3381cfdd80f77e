import { connectivityTest, endpointTest } from '@capture/contract/api/webhook-requests';
import * as schemas from '@capture/contract/api/webhook-responses';
import { ApiError } from '@capture/contract/errors';
import type { ContractForm } from '@capture/contract/forms/forms';
import { parseRequest } from '@capture/contract/options/parse-request';
import { readSigningSecrets } from '@capture/database/accounts/signing-secret';
import type { Database } from '@capture/database/database';
import type { Encryptor } from '@capture/database/encryption';
import { findEndpoint, readEndpointSecrets } from '@capture/database/endpoints/endpoints';
import type { AddressRules } from '@capture/egress/address-rules';
import type { HttpsSender } from '@capture/egress/https-sender';
import type { KeyExchange } from '../../http/exchange.ts';
import { pathParameter } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';
import type { Admission } from '../../limits/admission.ts';
import { checkReceiver } from '../../webhooks/check-receiver.ts';
import { createReceiverTests, type TestReceiver } from '../../webhooks/receiver-test.ts';
import { noSuchEndpoint } from '../../webhooks/webhook-records.ts';

export interface TestDependencies {
  admission: Admission;
  form: ContractForm;
  database: Database;
  encryptor: Encryptor;
  addressRules: AddressRules;
  sender: HttpsSender;
}

/** In a form without registered endpoints, the path serves only the connectivity test. */
export function webhookTestRoute(dependencies: TestDependencies): Route {
  const test = createReceiverTests(dependencies);
  return {
    method: 'POST',
    path: '/api/v1/webhooks',
    auth: 'key',
    cost: 'none',
    otherMethods: 'not found',
    id: 'testWebhook',
    tag: 'Webhooks',
    summary: 'Test whether an endpoint can be reached',
    description:
      'Posts a signed sample of the first of `events` and reports whether the endpoint responded with 2xx. Stores and subscribes nothing. Without `secret`, the account’s signing secret signs.',
    body: {
      schema: connectivityTest(dependencies.form),
      example: { webhook_url: 'https://hooks.example.com/captures', events: ['capture.completed'] },
      required: true,
    },
    responses: { 200: { description: 'The result of the test.', json: schemas.testOutcome } },
    handle: (exchange: KeyExchange) => testReceiver(dependencies, exchange, test),
  };
}

/** Sends one signed sample event to any URL and reports the response. Stores and subscribes nothing. */
export async function testReceiver(
  dependencies: TestDependencies,
  exchange: KeyExchange,
  test: TestReceiver,
): Promise<void> {
  const { form, database, encryptor } = dependencies;
  const { req, res, caller } = exchange;
  const { webhook_url, events, secret } = parseRequest(connectivityTest(form), req.body, 'a connectivity test');
  checkReceiver(dependencies, webhook_url);
  const secrets = secret === undefined ? await readSigningSecrets(database, encryptor, caller.accountId) : [secret];
  if (!secrets) throw new ApiError('NOT_FOUND', 'This account has been deleted.');
  const [event] = events;
  if (event === undefined) throw new Error('the schema requires an event');
  res.json(await test(exchange, { url: webhook_url, event, secrets: secrets as [string, string?] }));
}

/** Sends the sample to a registered endpoint, whatever its status, signed like its deliveries. */
export function testEndpointRoute({ form, database, encryptor }: TestDependencies, test: TestReceiver): Route {
  const request = endpointTest(form);
  return {
    method: 'POST',
    path: '/api/v1/webhooks/:id/test',
    auth: 'key',
    cost: 'none',
    id: 'testRegisteredWebhook',
    tag: 'Webhooks',
    summary: 'Test an endpoint',
    description:
      'Posts a signed sample event to the endpoint and reports the response. Nothing is recorded as a delivery.',
    body: { schema: request, example: { events: ['capture.completed'] }, required: false },
    responses: { 200: { description: 'The result of the test.', json: schemas.testOutcome } },
    async handle(exchange) {
      const { req, res, caller } = exchange;
      const { events } = parseRequest(request, req.body ?? {}, 'a test of an endpoint');
      const key = { id: pathParameter(req, 'id'), accountId: caller.accountId };
      const [endpoint, secrets] = await Promise.all([
        findEndpoint(database, key),
        readEndpointSecrets(database, encryptor, key),
      ]);
      if (!endpoint || !secrets) throw noSuchEndpoint();
      const [event] = events ?? endpoint.events;
      if (event === undefined) throw new Error('an endpoint without events was stored');
      res.json(await test(exchange, { url: endpoint.url, event, secrets }));
    },
  };
}
