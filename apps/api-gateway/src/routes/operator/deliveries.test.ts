import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestGateway } from '../../test-gateway.ts';
import {
  type Client,
  callOperator,
  endDeliveries,
  newClient,
  recordEvent,
  startWebhookGateway,
} from '../../webhooks/webhooks.test-support.ts';

const since = '2026-11-01T00:00:00Z';

describe('/api/operator/deliveries', () => {
  let gateway: TestGateway;
  let close: () => Promise<void>;
  let one: Client;
  let other: Client;
  let webhookId: string;
  beforeAll(async () => {
    ({ gateway, close } = await startWebhookGateway());
    one = await newClient(gateway, 'one@example.com');
    other = await newClient(gateway, 'other@example.com');
    webhookId = await one.register('https://hooks.example.com/');
    await recordEvent(gateway, one.id, { webhookUrl: 'https://request.example.com/' });
    await recordEvent(gateway, other.id, { webhookUrl: 'https://other.example.com/' });
  });
  afterAll(() => close());

  const call = (method: 'get' | 'post', path: string) => callOperator(gateway, method, `/deliveries${path}`);
  const hostsOf = async (query: string) =>
    (await call('get', query).expect(200)).body.deliveries
      .map((delivery: { url: string }) => new URL(delivery.url).hostname)
      .sort();
  const replay = (body: object) => call('post', '/replay').send(body);

  it('200: lists the deliveries of all accounts, or of one', async () => {
    const { body } = await call('get', '?limit=1').expect(200);
    expect(body.deliveries[0]).toMatchObject({ id: expect.stringMatching(/^dlv_/), account_id: expect.any(String) });
    expect(body.next_cursor).toBe(body.deliveries[0].id);
    const all = ['hooks.example.com', 'other.example.com', 'request.example.com'];
    expect(await hostsOf('')).toEqual(all);
    expect(await hostsOf(`?account_id=${one.id}`)).toEqual(['hooks.example.com', 'request.example.com']);
    expect(await hostsOf(`?webhook_id=${webhookId}`)).toEqual(['hooks.example.com']);
    expect(await hostsOf(`?webhook_id=${webhookId}&account_id=${other.id}`)).toEqual([]);
    expect(await hostsOf('?status=failed')).toEqual([]);
    expect(await hostsOf(`?since=${since}&event=capture.completed&status=pending`)).toEqual(all);
  });

  it('200: shows a delivery of any account with its attempts', async () => {
    const [{ id }] = (await call('get', `?account_id=${other.id}`)).body.deliveries;
    await gateway.database.pool.query(
      `INSERT INTO delivery_attempt (delivery_id, number, trigger, started_at, duration_ms, status, error, response_excerpt)
       VALUES ($1, 1, 'schedule', now(), 12, 503, 'http_5xx', 'the shelf is full')`,
      [id],
    );
    const { body } = await call('get', `/${id}`).expect(200);
    expect(body).toMatchObject({ id, account_id: other.id, payload: { event: 'capture.completed' } });
    expect(body.attempts).toEqual([expect.objectContaining({ number: 1, error: 'http_5xx', status: 503 })]);
  });

  it('202: retries a delivery of any account', async () => {
    await endDeliveries(gateway, 'failed');
    const { body } = await call('get', `?account_id=${other.id}`);
    const [{ id }] = body.deliveries;
    const response = await call('post', `/${id}/retry`).expect(202);
    expect(response.body).toMatchObject({ id, account_id: other.id, status: 'pending' });
    expect(await hostsOf('?status=pending')).toEqual(['other.example.com']);
  });

  it.each(['account_id', 'webhook_id'])('400: a list, a count or a replay by a malformed %s', async (field) => {
    const query = `status=failed&since=${since}&${field}=foo`;
    for (const response of [
      await call('get', `?${field}=foo`),
      await call('get', `/replay?${query}`),
      await call('post', '/replay').send({ status: 'failed', since, [field]: 'foo' }),
    ]) {
      expect([response.status, response.body.details?.[0].field]).toEqual([400, field]);
    }
  });

  const replayable = async (query: string) => (await call('get', `/replay?${query}`).expect(200)).body;

  it('200: counts the deliveries that a replay would send, and changes nothing', async () => {
    await endDeliveries(gateway, 'failed');
    const failed = `status=failed&since=${since}`;
    expect(await replayable(failed)).toEqual({ replayable: 3 });
    expect(await replayable(`${failed}&webhook_id=${webhookId}`)).toEqual({ replayable: 1 });
    expect(await replayable(`${failed}&account_id=${one.id}`)).toEqual({ replayable: 2 });
    expect(await replayable(`${failed}&until=2026-11-01T00:00:01Z`)).toEqual({ replayable: 0 });
    expect(await replayable(`status=delivered&since=${since}`)).toEqual({ replayable: 0 });
    expect(await hostsOf('?status=failed')).toHaveLength(3);
  });

  it('202: replays the deliveries of an endpoint, of an account, of all accounts', async () => {
    await endDeliveries(gateway, 'failed');
    const status = 'failed';
    expect((await replay({ status, since, webhook_id: webhookId }).expect(202)).body).toEqual({ replayed: 1 });
    expect((await replay({ status, since, account_id: one.id }).expect(202)).body).toEqual({ replayed: 1 });
    expect((await replay({ status: 'delivered', since }).expect(202)).body).toEqual({ replayed: 0 });
    expect((await replay({ status: 'all', since }).expect(202)).body).toEqual({ replayed: 1 });
    expect(await hostsOf('?status=failed')).toEqual([]);
    await endDeliveries(gateway, 'delivered');
    expect((await replay({ status: 'all', since, until: '2026-11-01T00:00:01Z' }).expect(202)).body).toEqual({
      replayed: 0,
    });
    expect((await replay({ status: 'all', since }).expect(202)).body).toEqual({ replayed: 3 });
  });

  it.each([
    [{ since }, 'status'],
    [{ status: 'failed' }, 'since'],
    [{ status: 'failed', since, until: since }, 'until'],
    [{ status: 'failed', since, email: 'one@example.com' }, 'email'],
  ])('400: a replay of %j', async (filter, field) => {
    expect((await replay(filter).expect(400)).body.details[0].field).toBe(field);
    const counted = await call('get', `/replay?${new URLSearchParams(filter as Record<string, string>)}`).expect(400);
    expect(counted.body.details[0].field).toBe(field);
  });

  it('400: a retry to a paused endpoint', async () => {
    await one.call('patch', `/${webhookId}`).send({ status: 'paused' }).expect(200);
    const { body } = await call('get', `?webhook_id=${webhookId}`);
    const response = await call('post', `/${body.deliveries[0].id}/retry`).expect(400);
    expect(response.body.error_message).toContain('paused');
  });

  it("401: with an account's key, or none", async () => {
    for (const path of ['', '/replay', '/dlv_1']) await gateway.http.get(`/api/operator/deliveries${path}`).expect(401);
    for (const path of ['', '/replay', '/dlv_1/retry']) {
      await gateway.http.post(`/api/operator/deliveries${path}`).expect(401);
      await gateway.as(one.key).post(`/api/operator/deliveries${path}`).expect(401);
    }
  });

  it('404: no such delivery', async () => {
    await call('post', '/dlv_unknown/retry').expect(404);
    await call('get', '/dlv_unknown').expect(404);
  });
});
