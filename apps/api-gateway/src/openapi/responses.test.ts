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
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { z } from 'zod';
import { operatorKey, startTestGateway, startTestWorker, type TestGateway } from '../test-gateway.ts';

// What the document says of answers, held against answers.

const form = forms.B;
const url = 'https://example.com/';
let gateway: TestGateway;
let worker: { close(): Promise<void> };
let key: string;
beforeAll(async () => {
  gateway = await startTestGateway('B');
  key = await gateway.register('answers@example.com', 'pro');
  worker = startTestWorker(gateway, (capture) =>
    capture.url.includes('bad') ? { code: 'NAVIGATION_FAILED', message: 'no' } : 'completed',
  );
});
afterAll(async () => {
  await worker.close();
  await gateway.close();
});

/** Sends a request and holds the answer against its schema, which knows every field of it. */
async function answered<Schema extends z.ZodType>(
  schema: Schema,
  status: number,
  [method, path]: readonly ['get' | 'post' | 'patch', string],
  body?: object,
  authorization = key,
): Promise<z.output<Schema>> {
  const sent = gateway.http[method](path).set('Authorization', `Bearer ${authorization}`);
  const answer = await (body ? sent.send(body) : sent);
  expect([path, answer.status]).toEqual([path, status]);
  const parsed = schema.safeParse(answer.body);
  expect({ path, issues: parsed.error?.issues ?? [], body: answer.body }).toMatchObject({ path, issues: [] });
  return parsed.data as z.output<Schema>;
}

it('of captures', async () => {
  const accepted = await answered(acceptance, 202, ['post', '/api/v1/pdf'], { url, async: true });
  const ended = () => gateway.database.prisma.capture.count({ where: { status: 'completed' } });
  await waitUntil(async () => (await ended()) > 0, { what: 'the capture to end' });
  await answered(captureRecord, 200, ['get', `/api/v1/captures/${accepted.request_id}`]);
  const asked = { url, response_type: 'json', metadata: { order: '1' }, cookies: [{ name: 'a', value: 'b' }] };
  await answered(captureRecord, 200, ['post', '/api/v1/screenshot'], asked);
  await answered(errorBody, 422, ['get', '/api/v1/og-image?url=https://bad.example/']);
  await answered(pageOfRows('captures', captureRecord), 200, ['get', '/api/v1/captures?limit=2']);
});

it('of batches', async () => {
  const items = [{ url }, { url: 'https://bad.example/' }];
  const { batch_id } = await answered(batchAcceptance, 202, ['post', '/api/v1/batches'], { items });
  await waitUntil(
    async () => (await gateway.database.prisma.batch.findUniqueOrThrow({ where: { id: batch_id } })).completedAt,
    { what: 'the batch to end' },
  );
  const batch = await answered(batchWithResults, 200, ['get', `/api/v1/batches/${batch_id}`]);
  expect(batch.results.map(({ status }) => status)).toEqual(['completed', 'failed']);
  await answered(batchRecord, 200, ['post', `/api/v1/batches/${batch_id}/cancel`]);
  await answered(pageOfRows('batches', batchRecord), 200, ['get', '/api/v1/batches']);
});

it('of accounts and keys', async () => {
  await answered(registration, 201, ['post', '/api/auth/register'], { email: 'more@example.com' });
  await answered(account, 200, ['get', '/api/v1/account']);
  await answered(session, 200, ['post', '/api/auth/session'], { api_key: key });
  await answered(dailyUsage, 200, ['get', '/api/v1/usage?days=2']);
  await answered(signingSecret, 200, ['get', '/api/v1/account/signing-secret']);
  await answered(rotatedSecret, 200, ['post', '/api/v1/account/signing-secret']);
  const { id } = await answered(issuedKey, 201, ['post', '/api/v1/keys'], { name: 'CI' });
  await answered(rotatedKey, 201, ['post', `/api/v1/keys/${id}/rotate`], { overlap_s: 60 });
  await answered(pageOfRows('keys', keyRow), 200, ['get', '/api/v1/keys']);
});

it('of webhooks and their deliveries', async () => {
  const registered = { url: 'https://hooks.example.com/', events: ['capture.completed'] };
  const { id } = await answered(registeredEndpoint(form), 201, ['post', '/api/v1/webhooks'], registered);
  await answered(endpoint(form), 200, ['get', `/api/v1/webhooks/${id}`]);
  await answered(endpoint(form), 200, ['patch', `/api/v1/webhooks/${id}`], { status: 'paused' });
  await answered(pageOfRows('webhooks', endpoint(form)), 200, ['get', '/api/v1/webhooks']);
  const webhook_url = 'https://hooks.example.com/one';
  await answered(captureRecord, 200, ['post', '/api/v1/screenshot'], { url, response_type: 'json', webhook_url });
  const row = await gateway.database.prisma.delivery.findFirstOrThrow({ where: { url: webhook_url } });
  await answered(deliveryWithAttempts(form), 200, ['get', `/api/v1/webhooks/deliveries/${row.id}`]);
  await answered(pageOfRows('deliveries', delivery(form)), 200, ['get', '/api/v1/webhooks/deliveries']);
});

it('of the operator and of the service', async () => {
  const operator = (
    schema: z.ZodType,
    status: number,
    request: readonly ['get' | 'post' | 'patch', string],
    body?: object,
  ) => answered(schema, status, request, body, operatorKey);
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
  const owned = { account_id: z.string() };
  const { deliveries } = (await operator(pageOfRows('deliveries', delivery(form).extend(owned)), 200, [
    'get',
    '/api/operator/deliveries',
  ])) as { deliveries: { id: string }[] };
  const one = deliveryWithAttempts(form).extend(owned);
  await operator(one, 200, ['get', `/api/operator/deliveries/${deliveries[0]?.id}`]);
  await operator(replayable, 200, ['get', '/api/operator/deliveries/replay?status=failed&since=2026-11-01T00:00:00Z']);
  await answered(readiness, 200, ['get', '/readyz']);
});

it('of errors', async () => {
  const refused = await answered(errorBody, 400, ['get', '/api/v1/screenshot?width=1']);
  expect(refused.details?.map(({ field }) => field)).toEqual(['width', 'url']);
  await answered(errorBody, 401, ['get', '/api/v1/account'], undefined, 'none');
  await answered(errorBody, 404, ['get', '/api/v1/captures/req_none']);
});
