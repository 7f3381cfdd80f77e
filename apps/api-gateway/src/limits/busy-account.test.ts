import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { forms } from '@capture/contract/forms/forms';
import { waitUntil } from '@capture/testing/wait-until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { onePixel, startSecondGateway, type TestGateway } from '../test-gateway.ts';
import { type Client, newClient, startWebhookGateway } from '../webhooks/webhooks.test-support.ts';
import { Admission, type Limited } from './admission.ts';
import { type LockHolder, openLockHolder } from './lock-holder.test-support.ts';
import { createLocalRateLimiter } from './rate-limit.ts';

/** This clock grants a new token to every request. */
let seconds = 0;
const rateLimiter = createLocalRateLimiter(() => {
  seconds += 1;
  return seconds * 1_000;
});

/** The number of requests that have asked for a slot, and the release functions of the held slots. */
let asked = 0;
const held = new Set<() => void>();
class CountedAdmission extends Admission {
  override async take(limited: Limited, owner: string) {
    if (limited !== 'request') return super.take(limited, owner);
    asked += 1;
    const release = await super.take(limited, owner);
    held.add(release);
    return () => {
      held.delete(release);
      release();
    };
  }
}

let started: Awaited<ReturnType<typeof startWebhookGateway>>;
let gateway: TestGateway;
let busy: Client;
let neighbour: Client;
let webhookId: string;
let batchId: string;
/** Holds the locks that the busy account's requests wait for. */
let holder: LockHolder;

beforeAll(async () => {
  started = await startWebhookGateway('B', { parts: { rateLimiter, admission: new CountedAdmission(forms.B) } });
  gateway = started.gateway;
  busy = await newClient(gateway, 'busy@example.com');
  neighbour = await newClient(gateway, 'neighbour@example.com');
  webhookId = await busy.register(started.receiver.url);
  await gateway.database.prisma.account.update({ where: { id: busy.id }, data: { plan: 'business' } });
  await capture({}).expect(202);
  batchId = (await submit().expect(202)).body.batch_id;
  holder = await openLockHolder(gateway);
});
afterAll(() => started.close());

const url = 'https://example.com/';
const since = '2026-01-01T00:00:00Z';
const post = (path: string, body: object, to = gateway) => to.as(busy.key).post(path).send(body);
const capture = (more: object) => post('/api/v1/screenshot', { url, async: true, ...more });
const submit = (items = 1) => post('/api/v1/batches', { items: Array(items).fill({ url }) });
const replay = (to = gateway) => post(`/api/v1/webhooks/${webhookId}/replay`, { since }, to);

const lockUsage = () => holder.query('SELECT FROM usage WHERE account_id = $1 FOR UPDATE', [busy.id]);
const lockDeliveries = () => holder.query('LOCK TABLE delivery IN ACCESS EXCLUSIVE MODE');

describe('while 19 requests of one account wait for a lock', () => {
  it.each([
    ['replays with one Idempotency-Key', lockDeliveries, () => replay().set('Idempotency-Key', 'one'), 1],
    ['replays', lockDeliveries, () => replay(), 1],
    ['batches with one Idempotency-Key', lockUsage, () => submit().set('Idempotency-Key', 'two'), 1],
    ['batches', lockUsage, () => submit(), 4],
    ['batches over 4 kB', lockUsage, () => submit(150), 1],
    ['captures', lockUsage, () => capture({}), 4],
    ['captures that may reuse an equal one', lockUsage, () => capture({ cache_ttl_s: 60 }), 4],
    ['cancellations', lockUsage, () => post(`/api/v1/batches/${batchId}/cancel`, {}), 1, 200],
  ])('%s leave connections for others, and all succeed in the end', async (_, lock, send, atMost, status = 202) => {
    await holder.query('BEGIN');
    await lock();
    const requests = Array.from({ length: 19 }, () => send().then(({ status }) => status));
    await waitUntil(async () => (await holder.waiting()) >= atMost, {
      what: 'requests to wait for the lock',
      timeoutMs: 10_000,
    });
    for (let turn = 0; turn < 10; turn += 1) await gateway.as(neighbour.key).get('/api/v1/account').expect(200);
    expect(await holder.waiting()).toBe(atMost);
    await holder.query('ROLLBACK');
    expect(await Promise.all(requests)).toEqual(Array(19).fill(status));
  });
});

it('waiting cancellations leave the slots for requests to the account’s other requests', async () => {
  const { batch_id: id } = (await submit().expect(202)).body;
  await holder.query('BEGIN');
  await lockUsage();
  const cancellations = Array.from({ length: 19 }, () => post(`/api/v1/batches/${id}/cancel`, {}).then(() => {}));
  await waitUntil(async () => (await holder.waiting()) === 1, { what: 'a cancellation to wait for the lock' });
  await gateway.as(busy.key).get('/api/v1/captures').expect(200);
  await holder.query('ROLLBACK');
  await Promise.all(cancellations);
});

it('100 look-ups of one account that wait for a lock leave connections for others, and all succeed in the end', async () => {
  await holder.query('BEGIN');
  await lockDeliveries();
  const requests = Array.from({ length: 100 }, () =>
    gateway
      .as(busy.key)
      .get('/api/v1/webhooks/deliveries')
      .then(({ status }) => status),
  );
  await waitUntil(async () => (await holder.waiting()) >= 8, { what: 'look-ups to wait for the lock' });
  for (let turn = 0; turn < 10; turn += 1) await gateway.as(neighbour.key).get('/api/v1/account').expect(200);
  expect(await holder.waiting()).toBe(8);
  await holder.query('ROLLBACK');
  expect(await Promise.all(requests)).toEqual(Array(100).fill(200));
});

it('a request whose client disconnects while it waits is not handled', async () => {
  const count = () => gateway.database.prisma.capture.count({ where: { accountId: busy.id } });
  const captures = await count();
  await holder.query('BEGIN');
  await lockDeliveries();
  const lookUps = Array.from({ length: 8 }, () => gateway.as(busy.key).get('/api/v1/webhooks/deliveries').then());
  await waitUntil(async () => (await holder.waiting()) >= 8, { what: 'look-ups to wait for the lock' });
  const server = gateway.app.listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const path = `/api/v1/screenshot?async=true&url=${encodeURIComponent(url)}`;
  const before = asked;
  const gone = request({ port, path, headers: { 'X-API-Key': busy.key, Expect: '100-continue' } });
  gone.on('error', () => {}).end();
  await once(gone, 'continue');
  await waitUntil(() => asked > before, { what: 'the request to wait for its turn' });
  gone.destroy();
  await promisify(server.close.bind(server))();
  await holder.query('ROLLBACK');
  await Promise.all(lookUps);
  await waitUntil(() => held.size === 0, { what: 'its slot to be free' });
  expect(await count()).toBe(captures);
});

it.each([
  ['a file', ({ fileUrl }: Stored) => fileUrl],
  ['a render link', ({ link }: Stored) => link],
])(
  '100 viewers of %s that wait for a lock leave connections for other accounts and the account itself, and all succeed',
  async (_, pathOf) => {
    const path = pathOf(await store());
    await gateway.http.get(path).expect(200);
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE capture IN ACCESS EXCLUSIVE MODE');
    const requests = Array.from({ length: 100 }, () => gateway.http.get(path).then(({ status }) => status));
    await waitUntil(async () => (await holder.waiting()) >= 4, { what: 'viewers to wait for the lock' });
    for (const { key } of [busy, neighbour, busy, neighbour]) await gateway.as(key).get('/api/v1/account').expect(200);
    expect(await holder.waiting()).toBe(4);
    await holder.query('ROLLBACK');
    expect(await Promise.all(requests)).toEqual(Array(100).fill(200));
  },
);

interface Stored {
  fileUrl: string;
  link: string;
}

/** A completed capture, by the paths of its file and of a render link. */
async function store(): Promise<Stored> {
  const { request_id: id } = (await capture({}).expect(202)).body;
  const storageKey = `${id}-1.png`;
  await gateway.storage.put(storageKey, onePixel);
  const ended = { status: 'completed', format: 'png', fileSize: onePixel.length, storageKey, completedAt: new Date() };
  await gateway.database.prisma.capture.update({
    where: { id },
    data: { ...ended, expiresAt: new Date(Date.now() + 3_600_000) },
  });
  const own = gateway.as(busy.key);
  const { body: record } = await own.get(`/api/v1/captures/${id}`).expect(200);
  await own.post('/api/v1/links/secret').send({}).expect(201);
  const { body: signed } = await post('/api/v1/links', { file: 'screenshot.png', parameters: { url } }).expect(200);
  const path = (address: string) => address.replace(gateway.links.publicUrl, '');
  return { fileUrl: path(record.file_url), link: path(signed.url) };
}

it('a request waits without a connection for a request with the same Idempotency-Key on another gateway', async () => {
  const second = await startSecondGateway(gateway);
  await holder.query('BEGIN');
  await lockDeliveries();
  const first = replay()
    .set('Idempotency-Key', 'three')
    .then((response) => response);
  await waitUntil(async () => (await holder.waiting()) === 1, {
    what: 'the first request to wait for the lock',
    timeoutMs: 10_000,
  });
  const repeated = replay(second)
    .set('Idempotency-Key', 'three')
    .then((response) => response);
  await waitUntil(() => second.database.pool.totalCount > 0, { what: 'the second request' });
  expect(await holder.waiting()).toBe(1);
  await holder.query('ROLLBACK');
  expect((await first).headers['idempotency-replayed']).toBeUndefined();
  expect((await repeated).headers['idempotency-replayed']).toBe('true');
  expect((await repeated).body).toEqual((await first).body);
});
