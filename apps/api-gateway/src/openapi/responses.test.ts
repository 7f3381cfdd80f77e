import {
  account,
  accountRow,
  dailyUsage,
  issuedKey,
  issuedSecret,
  keyRow,
  queueList,
  registration,
  rotatedKey,
  rotatedSecret,
  session,
  signingSecret,
} from '@capture/contract/api/account-responses';
import { activity, cleanupJobList, deployment, processList, readiness } from '@capture/contract/api/operator-responses';
import {
  acceptance,
  batchAcceptance,
  batchRecord,
  batchWithResults,
  captureRecord,
  errorBody,
  pageOfRows,
} from '@capture/contract/api/responses';
import {
  delivery,
  deliveryWithAttempts,
  endpoint,
  registeredEndpoint,
  replayable,
} from '@capture/contract/api/webhook-responses';
import { forms } from '@capture/contract/forms/forms';
import { waitUntil } from '@capture/testing/wait-until';
import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { routeTable } from '../route-table.ts';
import { failIfBad, operatorKey, startSharedGateway, startTestGateway, startTestWorker } from '../test-gateway.ts';
import { exampleOf } from './examples.ts';

// These tests check real responses against the schemas of the document.

const form = forms.B;
const url = 'https://example.com/';
const gateway = await startSharedGateway();
const key = await gateway.register('responses@example.com', 'pro');
startTestWorker(gateway, failIfBad);

/** Sends a request and checks the response against its schema, which is strict about unknown fields. */
async function expectResponse<Schema extends z.ZodType>(
  schema: Schema,
  status: number,
  [method, path]: readonly ['get' | 'post' | 'patch', string],
  body?: object,
  authorization = key,
): Promise<z.output<Schema>> {
  const sent = gateway.http[method](path).set('Authorization', `Bearer ${authorization}`);
  const response = await (body ? sent.send(body) : sent);
  expect([path, response.status]).toEqual([path, status]);
  const parsed = schema.safeParse(response.body);
  expect({ path, issues: parsed.error?.issues ?? [], body: response.body }).toMatchObject({ path, issues: [] });
  return parsed.data as z.output<Schema>;
}

it('captures match the document', async () => {
  const accepted = await expectResponse(acceptance, 202, ['post', '/api/v1/pdf'], { url, async: true });
  const ended = () => gateway.database.prisma.capture.count({ where: { status: 'completed' } });
  await waitUntil(async () => (await ended()) > 0, { what: 'the capture to end' });
  await expectResponse(captureRecord, 200, ['get', `/api/v1/captures/${accepted.request_id}`]);
  const request = { url, response_type: 'json', metadata: { order: '1' }, cookies: [{ name: 'a', value: 'b' }] };
  await expectResponse(captureRecord, 200, ['post', '/api/v1/screenshot'], request);
  await expectResponse(errorBody, 422, ['get', '/api/v1/og-image?url=https://bad.example/']);
  await expectResponse(pageOfRows('captures', captureRecord), 200, ['get', '/api/v1/captures?limit=2']);
});

it('batches match the document', async () => {
  const items = [{ url }, { url: 'https://bad.example/' }];
  const { batch_id } = await expectResponse(batchAcceptance, 202, ['post', '/api/v1/batches'], { items });
  await waitUntil(
    async () => (await gateway.database.prisma.batch.findUniqueOrThrow({ where: { id: batch_id } })).completedAt,
    { what: 'the batch to end' },
  );
  const batch = await expectResponse(batchWithResults, 200, ['get', `/api/v1/batches/${batch_id}`]);
  expect(batch.results.map(({ status }) => status)).toEqual(['completed', 'failed']);
  await expectResponse(batchRecord, 200, ['post', `/api/v1/batches/${batch_id}/cancel`]);
  await expectResponse(pageOfRows('batches', batchRecord), 200, ['get', '/api/v1/batches']);
});

it('accounts and keys match the document', async () => {
  await expectResponse(registration, 201, ['post', '/api/auth/register'], { email: 'more@example.com' });
  await expectResponse(account, 200, ['get', '/api/v1/account']);
  await expectResponse(session, 200, ['post', '/api/auth/session'], { api_key: key });
  await expectResponse(dailyUsage, 200, ['get', '/api/v1/usage?days=2']);
  await expectResponse(signingSecret, 200, ['get', '/api/v1/account/signing-secret']);
  await expectResponse(rotatedSecret, 200, ['post', '/api/v1/account/signing-secret']);
  const { id } = await expectResponse(issuedKey, 201, ['post', '/api/v1/keys'], { name: 'CI' });
  await expectResponse(rotatedKey, 201, ['post', `/api/v1/keys/${id}/rotate`], { overlap_s: 60 });
  await expectResponse(pageOfRows('keys', keyRow), 200, ['get', '/api/v1/keys']);
});

it('webhooks and deliveries match the document', async () => {
  const registered = { url: 'https://hooks.example.com/', events: ['capture.completed'] };
  const { id } = await expectResponse(registeredEndpoint(form), 201, ['post', '/api/v1/webhooks'], registered);
  await expectResponse(endpoint(form), 200, ['get', `/api/v1/webhooks/${id}`]);
  await expectResponse(endpoint(form), 200, ['patch', `/api/v1/webhooks/${id}`], { status: 'paused' });
  await expectResponse(pageOfRows('webhooks', endpoint(form)), 200, ['get', '/api/v1/webhooks']);
  const webhook_url = 'https://hooks.example.com/one';
  await expectResponse(captureRecord, 200, ['post', '/api/v1/screenshot'], { url, response_type: 'json', webhook_url });
  const row = await gateway.database.prisma.delivery.findFirstOrThrow({ where: { url: webhook_url } });
  await expectResponse(deliveryWithAttempts(form), 200, ['get', `/api/v1/webhooks/deliveries/${row.id}`]);
  await expectResponse(pageOfRows('deliveries', delivery(form)), 200, ['get', '/api/v1/webhooks/deliveries']);
});

it('operator and service routes match the document', async () => {
  const operator = (
    schema: z.ZodType,
    status: number,
    request: readonly ['get' | 'post' | 'patch', string],
    body?: object,
  ) => expectResponse(schema, status, request, body, operatorKey);
  const { id } = await gateway.database.prisma.account.findFirstOrThrow();
  await operator(pageOfRows('accounts', accountRow), 200, ['get', '/api/operator/accounts']);
  await operator(accountRow, 200, ['patch', `/api/operator/accounts/${id}`], { plan: 'pro' });
  await operator(issuedKey, 201, ['post', `/api/operator/accounts/${id}/keys`]);
  await operator(issuedSecret, 200, ['post', `/api/operator/accounts/${id}/signing-secret`]);
  await operator(queueList, 200, ['get', '/api/operator/queues']);
  await operator(activity, 200, ['get', '/api/operator/activity?minutes=3']);
  await operator(cleanupJobList, 200, ['get', '/api/operator/cleanup-jobs']);
  await operator(processList, 200, ['get', '/api/operator/processes']);
  await operator(deployment, 200, ['get', '/api/operator/deployment']);
  const owned = { account_id: z.string(), account_email: z.string() };
  const { deliveries } = (await operator(pageOfRows('deliveries', delivery(form).extend(owned)), 200, [
    'get',
    '/api/operator/deliveries',
  ])) as { deliveries: { id: string }[] };
  const one = deliveryWithAttempts(form).extend(owned);
  await operator(one, 200, ['get', `/api/operator/deliveries/${deliveries[0]?.id}`]);
  await operator(replayable, 200, ['get', '/api/operator/deliveries/replay?status=failed&since=2026-11-01T00:00:00Z']);
  await expectResponse(readiness, 200, ['get', '/readyz']);
});

it('errors match the document', async () => {
  const refused = await expectResponse(errorBody, 400, ['get', '/api/v1/screenshot?width=1']);
  expect(refused.details?.map(({ field }) => field)).toEqual(['width', 'url']);
  await expectResponse(errorBody, 401, ['get', '/api/v1/account'], undefined, 'none');
  await expectResponse(errorBody, 404, ['get', '/api/v1/captures/req_none']);
});

it.each(['A', 'B'] as const)('examples of form %s match their schemas', async (name) => {
  const other = await startTestGateway(name);
  const problems = routeTable(other).flatMap(({ id, responses }) =>
    Object.values(responses).flatMap(({ json }) => {
      const issues = json?.safeParse(exampleOf(json)).error?.issues ?? [];
      return issues.map(({ path, message }) => `${id}: ${path.join('.')}: ${message}`);
    }),
  );
  await other.close();
  expect(problems).toEqual([]);
});
