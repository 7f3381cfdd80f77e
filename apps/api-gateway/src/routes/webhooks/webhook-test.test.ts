import { type HttpsReceiver, openHttpsReceiver, type Reply } from '@capture/testing/network/https-receiver';
import { waitUntil } from '@capture/testing/wait-until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestGateway } from '../../test-gateway.ts';
import {
  type Client,
  callOperator,
  hexSignature,
  newClient,
  startWebhookGateway,
} from '../../webhooks/webhooks.test-support.ts';

const events = ['capture.failed', 'capture.completed'];

describe.each([
  { name: 'A', prefix: 'sha256=', retryAfter: '10' },
  { name: 'B', prefix: '', retryAfter: '30' },
] as const)('POST /api/v1/webhooks with webhook_url, form $name', ({ name, prefix, retryAfter }) => {
  let gateway: TestGateway;
  let receiver: HttpsReceiver;
  let close: () => Promise<void>;
  let client: Client;
  beforeAll(async () => {
    ({ gateway, receiver, close } = await startWebhookGateway(name));
    client = await newClient(gateway, 'owner@example.com');
  });
  afterEach(() => {
    receiver.hits.length = 0;
    receiver.respondWith({ status: 200 });
  });
  afterAll(() => close());

  const test = (changes: object = {}) =>
    client.call('post').send({ webhook_url: `${receiver.url}/hook?token=1`, events, ...changes });

  it('200: sends the first event, signed with the secret that the request names', async () => {
    const secret = 'a secret of this test';
    const { body } = await test({ secret }).expect(200);
    expect(body).toEqual({ delivered: true, status: 200, latency_ms: expect.any(Number), error: null });
    expect(receiver.hits).toHaveLength(1);
    const [hit] = receiver.hits;
    expect(hit).toMatchObject({ method: 'POST', path: '/hook?token=1' });
    expect(hit?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Capture-Webhooks/1.0',
      'webhook-id': expect.stringMatching(/^evt_/),
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}=$/),
      'x-service-signature': prefix + hexSignature(secret, hit?.body ?? Buffer.of()),
    });
    const sample = JSON.parse(hit?.body.toString() ?? '');
    expect(sample).toMatchObject({ event: 'capture.failed', data: { error_code: gateway.form.errors.unreachable } });
    const log = () => gateway.logged.join('');
    // A line is written once its response has been sent.
    await waitUntil(() => log().includes(`"receiver":"127.0.0.1:${receiver.port}"`), { what: 'its line in the log' });
    expect(log()).not.toContain('token=1');
    expect(log()).not.toContain(secret);
  });

  it('200: signs with the account’s secret if the test names none', async () => {
    // In a form where the account cannot read its secret, the operator issues the secret.
    const secret = gateway.form.webhooks.ownSigningSecret
      ? await client.signingSecret()
      : (await callOperator(gateway, 'post', `/accounts/${client.id}/signing-secret`)).body.secret;
    await test().expect(200);
    const [hit] = receiver.hits;
    expect(hit?.headers['x-service-signature']).toBe(prefix + hexSignature(secret, hit?.body ?? Buffer.of()));
  });

  it('stores nothing', async () => {
    await test().expect(200);
    const { rows } = await gateway.database.pool.query(
      `SELECT (SELECT count(*) FROM webhook_endpoint) + (SELECT count(*) FROM delivery) + (SELECT count(*) FROM event)
            + (SELECT count(*) FROM receiver) + (SELECT count(*) FROM idempotency) AS count`,
    );
    expect(Number(rows[0].count)).toBe(0);
  });

  it.each<[Reply, object]>([
    [{ status: 204 }, { delivered: true, status: 204, error: null }],
    [{ status: 404 }, { delivered: false, status: 404, error: 'http_4xx' }],
    [{ status: 503 }, { delivered: false, status: 503, error: 'http_5xx' }],
    [
      { status: 302, headers: { location: '/other' } },
      { delivered: false, status: 302, error: 'redirect' },
    ],
    ['reset', { delivered: false, status: null, error: 'reset' }],
  ])('200: reports the receiver’s behaviour: %j', async (reply, expected) => {
    receiver.respondWith(reply);
    const { body } = await test().expect(200);
    expect(body).toEqual({ ...expected, latency_ms: expect.any(Number) });
    expect(receiver.hits).toHaveLength(1);
  });

  it('200: reports an unknown host name', async () => {
    const { body } = await test({ webhook_url: 'https://nothing.invalid/' }).expect(200);
    expect(body).toMatchObject({ delivered: false, status: null, error: 'dns' });
  });

  it.each([
    [{ webhook_url: 'http://hooks.example.com/' }, 'webhook_url'],
    [{ webhook_url: 'https://10.0.0.1/' }, 'webhook_url'],
    [{ webhook_url: 'https://[::1]/' }, 'webhook_url'],
    [{ webhook_url: 'https://0x7f000002/' }, 'webhook_url'],
    [{ events: [] }, 'events'],
    [{ events: ['capture.unknown'] }, 'events.0'],
    [{ events: undefined }, 'events'],
    [{ secret: 'short' }, 'secret'],
    [{ async: true }, 'async'],
  ])('400: %j', async (changes, field) => {
    const { body } = await test(changes).expect(400);
    expect(body.details[0].field).toBe(field);
    expect(receiver.hits).toEqual([]);
  });

  it('503: more than five tests at once of one account; another account is not affected', async () => {
    const other = await newClient(gateway, 'other@example.com');
    const hanging = await openHttpsReceiver();
    hanging.respondWith('hang');
    const running = Array.from({ length: 5 }, () => test({ webhook_url: hanging.url }).then(({ body }) => body));
    await hanging.waitForHits(5);
    const refused = await test().expect(503);
    expect(refused.body.error_code).toBe('OVERLOADED');
    expect(refused.headers['retry-after']).toBe(retryAfter);
    const theirs = await other.call('post').send({ webhook_url: receiver.url, events }).expect(200);
    expect(theirs.body.delivered).toBe(true);
    await hanging.close();
    for (const body of await Promise.all(running)) {
      expect(body).toMatchObject({ delivered: false, status: null, error: 'reset' });
    }
    expect((await test().expect(200)).body.delivered).toBe(true);
  });
});

it('stops waiting for a silent receiver after the form’s timeout', async () => {
  const { gateway, receiver, close } = await startWebhookGateway('B', { settings: { WEBHOOK_TIMEOUT_MS: 200 } });
  const client = await newClient(gateway, 'owner@example.com');
  receiver.respondWith('hang');
  const { body } = await client.call('post').send({ webhook_url: receiver.url, events }).expect(200);
  expect(body).toMatchObject({ delivered: false, status: null, error: 'timeout' });
  // A timer may be a millisecond early.
  expect(body.latency_ms).toBeGreaterThanOrEqual(199);
  await close();
});

it('returns 404 in form A for every other method and path, and 401 without a key', async () => {
  const { gateway, close } = await startWebhookGateway('A');
  const client = await newClient(gateway, 'owner@example.com');
  for (const path of ['', '/wh_1', '/wh_1/test', '/wh_1/replay', '/deliveries', '/deliveries/dlv_1/retry']) {
    for (const method of ['get', 'post', 'patch', 'delete'] as const) {
      if (path === '' && method === 'post') continue;
      const { status, body, headers } = await client.call(method, path);
      expect([method, path, status, body.error_code]).toEqual([method, path, 404, 'NOT_FOUND']);
      expect(headers.allow).toBeUndefined();
    }
  }
  const url = { url: 'https://hooks.example.com/', events };
  expect((await client.call('post').send(url).expect(400)).body.details[0].field).toBe('webhook_url');
  await gateway.http.get('/api/v1/webhooks').expect(401);
  for (const path of ['/deliveries', '/deliveries/dlv_1/retry', '/deliveries/replay']) {
    const response = await gateway.asOperator.post(`/api/operator${path}`);
    expect([path, response.status]).toEqual([path, 404]);
  }
  await close();
}, 60_000);

describe('POST /api/v1/webhooks/:id/test', () => {
  let gateway: TestGateway;
  let receiver: HttpsReceiver;
  let close: () => Promise<void>;
  let client: Client;
  beforeAll(async () => {
    ({ gateway, receiver, close } = await startWebhookGateway('B'));
    client = await newClient(gateway, 'owner@example.com');
  });
  afterEach(() => {
    receiver.hits.length = 0;
  });
  afterAll(() => close());

  it('200: sends the first or the named event, signed with the endpoint’s secrets, even while it is paused', async () => {
    const secret = 'the first secret';
    const { body } = await client
      .call('post')
      .send({ url: `${receiver.url}/endpoint`, events, secret })
      .expect(201);
    await client.call('patch', `/${body.id}`).send({ status: 'paused' }).expect(200);
    const outcome = await client.call('post', `/${body.id}/test`).expect(200);
    expect(outcome.body).toEqual({ delivered: true, status: 200, latency_ms: expect.any(Number), error: null });
    const rotated = await client.call('post', `/${body.id}/rotate-secret`).expect(200);
    await client
      .call('post', `/${body.id}/test`)
      .send({ events: ['batch.completed'] })
      .expect(200);
    const [first, second] = receiver.hits;
    expect(JSON.parse(first?.body.toString() ?? '')).toMatchObject({ event: 'capture.failed' });
    expect(first?.headers).toMatchObject({
      'x-service-signature': hexSignature(secret, first?.body ?? Buffer.of()),
    });
    expect(first?.headers).not.toHaveProperty('x-service-signature-previous');
    expect(JSON.parse(second?.body.toString() ?? '')).toMatchObject({ event: 'batch.completed' });
    expect(second?.headers).toMatchObject({
      'x-service-signature': hexSignature(rotated.body.secret, second?.body ?? Buffer.of()),
      'x-service-signature-previous': hexSignature(secret, second?.body ?? Buffer.of()),
    });
  });

  it('200: reports an address that is no longer allowed as blocked, and does not call it', async () => {
    const id = await client.register(receiver.url);
    await gateway.database.prisma.webhookEndpoint.update({ where: { id }, data: { url: 'https://10.0.0.1/' } });
    const { body } = await client.call('post', `/${id}/test`).expect(200);
    expect(body).toMatchObject({ delivered: false, status: null, error: 'blocked' });
    expect(receiver.hits).toEqual([]);
  });

  it('400: names the invalid field', async () => {
    const id = await client.register(receiver.url);
    const fieldOf = async (body: object) =>
      (await client.call('post', `/${id}/test`).send(body).expect(400)).body.details[0].field;
    expect(await fieldOf({ events: [] })).toBe('events');
    expect(await fieldOf({ secret: 'another secret' })).toBe('secret');
    expect(receiver.hits).toEqual([]);
  });
});
