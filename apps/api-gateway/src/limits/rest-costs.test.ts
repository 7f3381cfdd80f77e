import { MeasuredRests } from '@capture/runtime/rests';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestGateway } from '../test-gateway.ts';
import {
  type Client,
  endDeliveries,
  newClient,
  recordEvent,
  startWebhookGateway,
} from '../webhooks/webhooks.test-support.ts';
import { createRequestSlots } from './account-slots.ts';
import { createClientSlots } from './client-limit.ts';
import { createLargeBodies } from './large-body.ts';

/** A machine that is busy all the time: the main thread waits for half of each second. */
let at = 0;
const rests = new MeasuredRests(
  () => at / 2,
  () => at,
);
/** Time passes until no account owes anything; another one is present. */
const pass = (seconds: number) => {
  for (let tenth = 0; tenth < 10 * seconds; tenth += 1) {
    at += 100;
    rests.look();
  }
  rests.charge('another account', 0);
};

let started: Awaited<ReturnType<typeof startWebhookGateway>>;
let gateway: TestGateway;
let client: Client;
const url = 'https://example.com/';
const post = (path: string, body: object = {}) => gateway.as(client.key).post(path).send(body);

beforeAll(async () => {
  const parts = {
    rests,
    requestSlots: createRequestSlots(rests),
    clientSlots: createClientSlots(rests),
    largeBodies: createLargeBodies(rests),
  };
  started = await startWebhookGateway('B', { parts });
  gateway = started.gateway;
  client = await newClient(gateway, 'busy@example.com');
  await gateway.database.prisma.account.update({ where: { id: client.id }, data: { plan: 'business' } });
});
afterAll(() => started.close());

it('charges a batch for its items, and a cancellation for those that it cancelled', async () => {
  pass(60);
  const submitted = await post('/api/v1/batches', { items: Array(1_000).fill({ url }) }).expect(202);
  expect(rests.restMs(client.id)).toBe(0);
  pass(60);
  await post('/api/v1/batches', { items: Array(1_000).fill({ url }) }).expect(202);
  await post(`/api/v1/batches/${submitted.body.batch_id}/cancel`).expect(200);
  expect(rests.restMs(client.id)).toBeGreaterThan(500);
  pass(60);
  // What was cancelled before costs nothing again.
  for (let each = 0; each < 10; each += 1) await post(`/api/v1/batches/${submitted.body.batch_id}/cancel`).expect(200);
  expect(rests.restMs(client.id)).toBe(0);
});

it.each([
  ['have a length in words', { length: 'many' }],
  ['have a negative length', { length: -1e9 }],
  ['are a long string', 'x'.repeat(10_000)],
  ['are null', null],
])('charges a batch whose items %s as a request', async (_, items) => {
  pass(60);
  await post('/api/v1/batches', { items }).expect(400);
  rests.charge(client.id, 247);
  expect(rests.restMs(client.id)).toBeGreaterThan(0);
  expect(rests.restMs(client.id)).toBeLessThan(50);
});

it('charges a large body for its size', async () => {
  pass(60);
  for (let each = 0; each < 10; each += 1) {
    await post('/api/v1/screenshot', { html: 'x'.repeat(2_000_000), async: true }).expect(202);
  }
  // Each is 20 ms, and 4 as a request.
  rests.charge(client.id, 20);
  expect(rests.restMs(client.id)).toBeGreaterThan(0);
});

it('charges a body that it refuses, and leaves the next large one in its socket while the account rests', async () => {
  pass(60);
  const tooLarge = { html: 'x'.repeat(5_300_000) };
  const refused = (key = client.key) => gateway.as(key).post('/api/v1/screenshot').send(tooLarge).expect(413);
  const other = await newClient(gateway, 'other@example.com');
  for (let each = 0; each < 32; each += 1) await refused();
  expect(rests.restMs(client.id)).toBeGreaterThan(0);
  let responded = false;
  const next = refused().then(() => {
    responded = true;
  });
  await refused(other.key);
  expect(responded).toBe(false);
  pass(60);
  await next;
});

it('charges a replay for the deliveries that it starts', async () => {
  pass(60);
  const webhookId = await client.register(started.receiver.url);
  for (let each = 0; each < 100; each += 1) await recordEvent(gateway, client.id);
  await endDeliveries(gateway, 'failed');
  pass(60);
  const replayed = await client
    .call('post', `/${webhookId}/replay`)
    .send({ since: '2026-01-01T00:00:00Z' })
    .expect(202);
  expect(replayed.body.replayed).toBe(100);
  expect(rests.restMs(client.id)).toBeGreaterThan(1_000);
});

it.each([
  ['invalid keys', () => gateway.as('cap_live_wrong').get('/api/v1/account')],
  ['requests without a key', () => gateway.http.get('/api/v1/account')],
  ['documents', () => gateway.http.get('/openapi.json')],
  ['unknown paths', () => gateway.http.get('/unknown')],
  ['sign-ins', () => gateway.http.post('/api/auth/session').send({ api_key: client.key })],
])('charges %s to the address of their client, which then waits; accounts behind it do not', async (_, send) => {
  pass(60);
  for (let each = 0; each < 63; each += 1) await send();
  expect(rests.restMs('client 127.0.0.1')).toBeGreaterThan(0);
  let responded = false;
  const next = send().then(() => {
    responded = true;
  });
  await gateway.as(client.key).get('/api/v1/account').expect(200);
  await gateway.http.get('/readyz').expect(200);
  expect(responded).toBe(false);
  pass(60);
  await next;
});
