import { connectBlockingRedis } from '@capture/queue/connect-redis';
import { onSignal } from '@capture/queue/signals';
import { waitUntil } from '@capture/testing/wait-until';
import { afterAll, describe, expect, it } from '@jest/globals';
import { newClient, recordEvent, startWebhookGateway } from '../../webhooks/webhooks.test-support.ts';

const url = 'https://hooks.example.com/captures?token=1';
const events = ['capture.completed', 'batch.progress'];

const { gateway, receiver, close } = await startWebhookGateway();
afterAll(close);
const client = await newClient(gateway, 'owner@example.com');
const otherClient = await newClient(gateway, 'other@example.com');

describe('/api/v1/webhooks', () => {
  const statusesOf = async (webhookId: string) => {
    const { rows } = await gateway.database.pool.query('SELECT status, url FROM delivery WHERE webhook_id = $1', [
      webhookId,
    ]);
    return rows;
  };

  it('201: registers an endpoint, and shows a generated secret once', async () => {
    const { body } = await client.call('post').send({ url, events }).expect(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^wh_/),
      url,
      events,
      status: 'active',
      created_at: expect.any(String),
      secret: expect.stringMatching(/^whsec_/),
    });
    const found = await client.call('get', `/${body.id}`).expect(200);
    const { secret, ...rest } = body;
    expect(found.body).toEqual({ ...rest, disabled_reason: null, failing_since: null });
    const log = () => gateway.logged.join('');
    // A line is written once its response has been sent.
    await waitUntil(() => log().includes(`"webhook_id":"${body.id}"`), { what: 'its line in the log' });
    expect(log()).not.toContain(secret);
    expect(log()).not.toContain('token=1');
  });

  it('201: does not show a secret that the client sent', async () => {
    const secret = 'a secret of my own';
    const { body, text } = await client.call('post').send({ url, events, secret }).expect(201);
    expect(body).not.toHaveProperty('secret');
    expect(text + (await client.call('get')).text).not.toContain(secret);
  });

  it('200: lists the endpoints of the account, newest first, in pages', async () => {
    const owner = await newClient(gateway, 'pages@example.com');
    const ids = [];
    for (let i = 0; i < 3; i++) ids.push(await owner.register(`https://${i}.example.com/`));
    const first = await owner.call('get', '?limit=2').expect(200);
    expect(Object.keys(first.body)).toEqual(['webhooks', 'next_cursor']);
    const second = await owner.call('get', `?limit=2&cursor=${first.body.next_cursor}`).expect(200);
    expect(second.body.next_cursor).toBeNull();
    const listed = [...first.body.webhooks, ...second.body.webhooks].map(({ id }: { id: string }) => id);
    expect(listed).toEqual([...ids].sort().reverse());
  });

  it('200: changes only the given fields', async () => {
    const id = await client.register(url);
    const before = (await client.call('get', `/${id}`)).body;
    const changed = await client
      .call('patch', `/${id}`)
      .send({ events: ['batch.completed'] })
      .expect(200);
    expect(changed.body).toEqual({ ...before, events: ['batch.completed'] });
    await client.call('patch', `/${id}`).send({}).expect(200);
    expect((await client.call('get', `/${id}`)).body).toEqual(changed.body);
  });

  it('200: a paused endpoint holds its deliveries; once active, they go to its new URL, and the dispatcher is notified', async () => {
    const owner = await newClient(gateway, 'pause@example.com');
    const id = await owner.register(url);
    await recordEvent(gateway, owner.id);
    expect((await owner.call('patch', `/${id}`).send({ status: 'paused' }).expect(200)).body.status).toBe('paused');
    await recordEvent(gateway, owner.id);
    expect(await statusesOf(id)).toEqual([1, 2].map(() => ({ status: 'paused', url })));
    const redis = connectBlockingRedis({ url: gateway.config.REDIS_URL });
    let notified = 0;
    onSignal(redis, 'deliveriesDue', () => {
      notified += 1;
    });
    const elsewhere = 'https://elsewhere.example.com/';
    // The subscription may become active after the first call.
    await waitUntil(
      async () => {
        await owner.call('patch', `/${id}`).send({ status: 'active', url: elsewhere }).expect(200);
        return notified > 0;
      },
      { what: 'the dispatcher to be notified' },
    );
    redis.disconnect();
    expect(await statusesOf(id)).toEqual([1, 2].map(() => ({ status: 'pending', url: elsewhere })));
  });

  it('200: shows why an endpoint was disabled, until it is active again', async () => {
    const id = await client.register(url);
    const disabled_reason = 'For five days every delivery failed.';
    await gateway.database.prisma.webhookEndpoint.update({
      where: { id },
      data: { status: 'disabled', disabledReason: disabled_reason },
    });
    const found = await client.call('get', `/${id}`).expect(200);
    expect(found.body).toMatchObject({ status: 'disabled', disabled_reason });
    const active = await client.call('patch', `/${id}`).send({ status: 'active' }).expect(200);
    expect(active.body).toMatchObject({ status: 'active', disabled_reason: null });
  });

  it('200: shows since when an active endpoint fails', async () => {
    const id = await client.register(url);
    const failingSince = new Date('2026-11-22T10:00:00.000Z');
    await gateway.database.prisma.webhookEndpoint.update({ where: { id }, data: { failingSince } });
    const failing = { status: 'active', failing_since: '2026-11-22T10:00:00.000Z' };
    expect((await client.call('get', `/${id}`).expect(200)).body).toMatchObject(failing);
    const { body } = await client.call('get').expect(200);
    expect(body.webhooks.find((each: { id: string }) => each.id === id)).toMatchObject(failing);
    const changed = await client
      .call('patch', `/${id}`)
      .send({ url: `${url}/other` })
      .expect(200);
    expect(changed.body).toMatchObject({ failing_since: null });
  });

  it('204: deletes the endpoint; its pending deliveries fail', async () => {
    const owner = await newClient(gateway, 'delete@example.com');
    const id = await owner.register(url);
    await recordEvent(gateway, owner.id);
    await owner.call('delete', `/${id}`).expect(204);
    for (const method of ['get', 'delete'] as const) await owner.call(method, `/${id}`).expect(404);
    const { body } = await owner.call('get', '/deliveries').expect(200);
    expect(body.deliveries).toMatchObject([{ webhook_id: id, status: 'failed', last_error: 'endpoint_deleted' }]);
  });

  it('200: rotates the secret to a generated or given one', async () => {
    const id = await client.register(url);
    const before = Date.now();
    const made = await client.call('post', `/${id}/rotate-secret`).expect(200);
    expect(made.body).toEqual({
      secret: expect.stringMatching(/^whsec_/),
      previous_valid_until: expect.stringMatching(/Z$/),
    });
    const validFor = new Date(made.body.previous_valid_until).getTime() - before;
    expect(Math.abs(validFor - 86_400_000)).toBeLessThan(60_000);
    const chosen = await client.call('post', `/${id}/rotate-secret`).send({ secret: 'my own secret' }).expect(200);
    expect(chosen.body.secret).toBe('my own secret');
  });

  it.each([
    [{ url: 'http://hooks.example.com/', events }, 'url'],
    [{ url: 'https://user:pass@hooks.example.com/', events }, 'url'],
    [{ url: 'https://127.0.0.2/', events }, 'url'],
    [{ url: 'https://[::ffff:10.0.0.1]/', events }, 'url'],
    [{ url: 'https://2130706434/', events }, 'url'],
    [{ url, events: [] }, 'events'],
    [{ url, events: ['capture.completed', 'capture.completed'] }, 'events'],
    [{ url, events: ['capture.unknown'] }, 'events.0'],
    [{ url, events, secret: 'short' }, 'secret'],
    [{ url, events, webhook_url: url }, 'webhook_url'],
    [{ url, events, status: 'paused' }, 'status'],
    [[], ''],
  ])('400: %j', async (fields, field) => {
    const response = await client
      .call('post')
      .send(fields as object)
      .expect(400);
    expect(response.body.details[0].field).toBe(field);
  });

  it('400: names the invalid field of a change or a rotation', async () => {
    const id = await client.register(url);
    const fieldOf = async (method: 'patch' | 'post', path: string, body: object) =>
      (await client.call(method, `/${id}${path}`).send(body).expect(400)).body.details[0].field;
    expect(await fieldOf('patch', '', { status: 'disabled' })).toBe('status');
    expect(await fieldOf('patch', '', { url: 'https://169.254.169.254/latest' })).toBe('url');
    expect(await fieldOf('patch', '', { secret: 'a secret of mine' })).toBe('secret');
    expect(await fieldOf('post', '/rotate-secret', { secret: 'whsec_%' })).toBe('secret');
    expect((await client.call('get', `/${id}`)).body).toMatchObject({ url, status: 'active' });
  });

  it('400: an Idempotency-Key on a route that shows a secret', async () => {
    const id = await client.register(url);
    for (const path of ['', `/${id}/rotate-secret`]) {
      const response = await client.call('post', path).set('Idempotency-Key', 'k').send({ url, events }).expect(400);
      expect(response.body.details[0].field).toBe('Idempotency-Key');
    }
  });

  it('400: more than fifty endpoints', async () => {
    const many = await newClient(gateway, 'many@example.com');
    for (let i = 0; i < 50; i++) await many.register(url);
    const response = await many.call('post').send({ url, events }).expect(400);
    expect(response.body.error_message).toContain('limit of 50 webhooks');
    const { body } = await many.call('get', '?limit=1');
    await many.call('delete', `/${body.webhooks[0].id}`).expect(204);
    await many.register(url);
  });

  it("404: another account's endpoint, which does not change", async () => {
    const id = await client.register(url);
    const before = (await client.call('get', `/${id}`)).body;
    const since = '2026-11-01T00:00:00Z';
    const calls: ['get' | 'patch' | 'delete' | 'post', string, object?][] = [
      ['get', ''],
      ['patch', '', { status: 'paused' }],
      ['post', '/test'],
      ['post', '/rotate-secret'],
      ['post', '/replay', { since }],
      ['delete', ''],
    ];
    for (const [method, path, body] of calls) {
      for (const someId of [id, 'wh_unknown']) {
        const response = await otherClient.call(method, `/${someId}${path}`).send(body);
        expect([method, path, response.status]).toEqual([method, path, 404]);
      }
    }
    expect((await client.call('get', `/${id}`)).body).toEqual(before);
    expect((await otherClient.call('get')).body.webhooks).toEqual([]);
    expect(receiver.hits).toEqual([]);
  });

  it('405: names the allowed methods', async () => {
    expect((await client.call('patch').expect(405)).headers.allow).toBe('POST, GET');
    expect((await client.call('post', '/wh_1').expect(405)).headers.allow).toBe('GET, PATCH, DELETE');
  });
});
