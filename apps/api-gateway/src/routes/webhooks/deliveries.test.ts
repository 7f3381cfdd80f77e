import { newId } from '@capture/database/ids';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Client,
  endDeliveries,
  newClient,
  recordEvent,
  startWebhookGateway,
} from '../../webhooks/webhooks.test-support.ts';

const url = 'https://hooks.example.com/captures';
const since = '2026-11-01T00:00:00Z';

const { gateway, close } = await startWebhookGateway('B', { settings: { REGISTRATIONS_PER_HOUR: 1_000 } });
afterAll(close);
const stranger = await newClient(gateway, 'stranger@example.com');

describe('/api/v1/webhooks/deliveries', () => {
  let client: Client;
  let webhookId: string;
  let accounts = 0;
  beforeEach(async () => {
    accounts += 1;
    client = await newClient(gateway, `owner-${accounts}@example.com`);
    webhookId = await client.register(url);
  });

  const list = async (query = '') => (await client.call('get', `/deliveries${query}`).expect(200)).body;
  const only = async () => {
    const { deliveries } = await list();
    expect(deliveries).toHaveLength(1);
    return deliveries[0];
  };
  const retry = (id: string, key?: string) => {
    const call = client.call('post', `/deliveries/${id}/retry`);
    return key === undefined ? call : call.set('Idempotency-Key', key);
  };
  const replay = (body: object, key?: string, id = webhookId) => {
    const call = client.call('post', `/${id}/replay`);
    return (key === undefined ? call : call.set('Idempotency-Key', key)).send(body);
  };

  it('200: lists deliveries, newest first, in pages', async () => {
    const start = Date.now() - 10_000;
    for (let i = 0; i < 3; i++) await recordEvent(gateway, client.id, { at: new Date(start + i) });
    const first = await list('?limit=2');
    expect(Object.keys(first)).toEqual(['deliveries', 'next_cursor']);
    expect(first.deliveries[0]).toEqual({
      id: expect.stringMatching(/^dlv_/),
      event: 'capture.completed',
      event_id: expect.stringMatching(/^evt_/),
      request_id: expect.stringMatching(/^req_/),
      batch_id: null,
      webhook_id: webhookId,
      url,
      status: 'pending',
      attempt_count: 0,
      next_attempt_at: expect.stringMatching(/Z$/),
      last_status: null,
      last_error: null,
      created_at: new Date(start + 2).toISOString(),
      completed_at: null,
    });
    const second = await list(`?limit=2&cursor=${first.next_cursor}`);
    expect(second.next_cursor).toBeNull();
    const times = [...first.deliveries, ...second.deliveries].map((row) => new Date(row.created_at).getTime() - start);
    expect(times).toEqual([2, 1, 0]);
  });

  it('200: filters by status, event, endpoint and time', async () => {
    const at = new Date(Date.now() - 10_000);
    await recordEvent(gateway, client.id, { at, webhookUrl: 'https://request.example.com/' });
    const urls = async (query: string) =>
      (await list(query)).deliveries.map((delivery: { url: string }) => new URL(delivery.url).hostname).sort();
    const both = ['hooks.example.com', 'request.example.com'];
    expect(await urls('')).toEqual(both);
    expect(await urls('?status=pending&event=capture.completed')).toEqual(both);
    expect(await urls('?status=failed')).toEqual([]);
    expect(await urls('?event=capture.failed')).toEqual([]);
    expect(await urls(`?webhook_id=${webhookId}`)).toEqual(['hooks.example.com']);
    expect(await urls(`?since=${at.toISOString()}`)).toEqual(both);
    expect(await urls(`?until=${at.toISOString()}`)).toEqual([]);
    const oneLater = new Date(at.getTime() + 1).toISOString();
    expect(await urls(`?since=${at.toISOString()}&until=${oneLater}`)).toEqual(both);
    expect(await urls(`?since=${oneLater}`)).toEqual([]);
    // This is the same time in another time zone.
    const inIndia = `${new Date(at.getTime() + 19_800_000).toISOString().slice(0, -1)}%2B05:30`;
    expect(await urls(`?since=${inIndia}&status=pending`)).toEqual(both);
  });

  it('200: shows a delivery with its payload and attempts', async () => {
    await recordEvent(gateway, client.id);
    const { id, ...row } = await only();
    await gateway.database.prisma.deliveryAttempt.create({
      data: {
        deliveryId: id,
        number: 1,
        trigger: 'schedule',
        startedAt: new Date('2026-11-20T10:00:00Z'),
        durationMs: 12,
        status: 500,
        error: 'http_5xx',
        responseExcerpt: 'oh no',
      },
    });
    const { body } = await client.call('get', `/deliveries/${id}`).expect(200);
    expect(body).toEqual({
      id,
      ...row,
      payload: { event: 'capture.completed', data: {} },
      attempts: [
        {
          number: 1,
          trigger: 'schedule',
          started_at: '2026-11-20T10:00:00.000Z',
          duration_ms: 12,
          status: 500,
          error: 'http_5xx',
          response_excerpt: 'oh no',
        },
      ],
    });
  });

  it('202: retries a delivery in any state', async () => {
    await recordEvent(gateway, client.id);
    const { id } = await only();
    for (const status of ['failed', 'delivered'] as const) {
      await endDeliveries(gateway, status);
      expect(await only()).toMatchObject({ status, next_attempt_at: null });
      const before = Date.now();
      const { body } = await retry(id).expect(202);
      expect(body).toEqual(await only());
      expect(body).toMatchObject({ id, status: 'pending', completed_at: null, attempt_count: 6 });
      expect(new Date(body.next_attempt_at).getTime()).toBeGreaterThanOrEqual(before);
      const { rows } = await gateway.database.pool.query('SELECT * FROM delivery WHERE id = $1', [id]);
      expect(rows[0]).toMatchObject({ retries_used: 0, next_trigger: 'manual' });
    }
  });

  it('202: retries once per Idempotency-Key', async () => {
    await recordEvent(gateway, client.id);
    const { id } = await only();
    await endDeliveries(gateway, 'failed');
    const first = await retry(id, 'retry-1').expect(202);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    await endDeliveries(gateway, 'failed');
    const again = await retry(id, 'retry-1').expect(202);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(await only()).toMatchObject({ status: 'failed' });
    await recordEvent(gateway, client.id);
    const other = (await list()).deliveries.find((delivery: { id: string }) => delivery.id !== id);
    const conflict = await retry(other.id, 'retry-1').expect(409);
    expect(conflict.body.error_code).toBe('IDEMPOTENCY_CONFLICT');
  });

  it('400: refuses a retry to a paused, disabled or deleted endpoint, with the reason', async () => {
    await recordEvent(gateway, client.id);
    const { id } = await only();
    await endDeliveries(gateway, 'failed');
    const refusal = async () => {
      const { body } = await retry(id, 'refused').expect(400);
      expect(body).toMatchObject({ error_code: 'INVALID_REQUEST', details: [{ field: 'id' }] });
      return body.error_message;
    };
    await client.call('patch', `/${webhookId}`).send({ status: 'paused' }).expect(200);
    expect(await refusal()).toContain('is paused; set it active first');
    await gateway.database.prisma.webhookEndpoint.update({ where: { id: webhookId }, data: { status: 'disabled' } });
    expect(await refusal()).toContain('is disabled; set it active first');
    await client.call('delete', `/${webhookId}`).expect(204);
    expect(await refusal()).toContain('is deleted');
    expect(await only()).toMatchObject({ status: 'failed' });
  });

  it('202: replays an endpoint’s deliveries by status, and returns their number', async () => {
    const at = new Date(Date.now() - 10_000);
    for (let i = 0; i < 3; i++) await recordEvent(gateway, client.id, { at: new Date(at.getTime() + i) });
    await recordEvent(gateway, client.id, { at, webhookUrl: 'https://request.example.com/' });
    await endDeliveries(gateway, 'failed');
    expect((await replay({ since, status: 'delivered' }).expect(202)).body).toEqual({ replayed: 0 });
    const span = { since: at.toISOString(), until: new Date(at.getTime() + 2).toISOString() };
    expect((await replay(span).expect(202)).body).toEqual({ replayed: 3 });
    expect((await list('?status=pending')).deliveries).toHaveLength(3);
    expect((await replay({ since }).expect(202)).body).toEqual({ replayed: 1 });
    expect((await list('?status=failed')).deliveries).toMatchObject([{ webhook_id: null }]);
    await endDeliveries(gateway, 'delivered');
    expect((await replay({ since }).expect(202)).body).toEqual({ replayed: 0 });
    expect((await replay({ since, status: 'all' }).expect(202)).body).toEqual({ replayed: 4 });
  });

  it('202: replays once per Idempotency-Key; parallel equal requests share one response', async () => {
    for (let i = 0; i < 3; i++) await recordEvent(gateway, client.id);
    await endDeliveries(gateway, 'failed');
    const responses = await Promise.all([1, 2, 3, 4].map(() => replay({ since }, 'replay-1').expect(202)));
    expect(responses.map(({ body }) => body)).toEqual([1, 2, 3, 4].map(() => ({ replayed: 3 })));
    expect(responses.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(3);
    await endDeliveries(gateway, 'failed');
    await replay({ since }, 'replay-1').expect(202);
    expect((await list('?status=failed')).deliveries).toHaveLength(3);
    expect((await replay({ since, status: 'all' }, 'replay-1').expect(409)).body.error_code).toBe(
      'IDEMPOTENCY_CONFLICT',
    );
  });

  it('202: continues an interrupted replay with the same Idempotency-Key; the number covers the whole replay', async () => {
    const { pool } = gateway.database;
    const count = 5_000;
    await pool.query(
      `INSERT INTO event (id, account_id, name, capture_id, body, created_at)
       VALUES ('evt_' || $1, $1, 'capture.completed', 'req_' || $1, '{}', now())`,
      [client.id],
    );
    await pool.query(
      `INSERT INTO delivery (id, event_id, account_id, webhook_id, url, status, created_at, completed_at)
       SELECT $4 || lpad(n::text, 16, '0'), 'evt_' || $1, $1, $2, $3, 'failed', now(), now()
         FROM generate_series(1, $5) n`,
      [client.id, webhookId, url, newId('dlv').slice(0, 14), count],
    );
    const replayed = async () => {
      const { rows } = await pool.query(
        `SELECT count(*)::int FROM delivery WHERE webhook_id = $1 AND status = 'pending'`,
        [webhookId],
      );
      return rows[0].count;
    };
    // The process is lost in its second slice.
    await pool.query(
      `CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql STABLE AS $$ BEGIN
         IF EXISTS (SELECT FROM delivery WHERE webhook_id = NEW.webhook_id AND status = 'pending')
         THEN RAISE 'lost'; END IF; RETURN NEW; END $$;
       CREATE TRIGGER lose BEFORE UPDATE ON delivery FOR EACH ROW EXECUTE FUNCTION lose()`,
    );
    await replay({ since }, 'replay-2').expect(500);
    await pool.query('DROP FUNCTION lose CASCADE');
    const before = await replayed();
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(count);
    await replay({ since, status: 'all' }, 'replay-2').expect(409);
    expect((await replay({ since }, 'replay-2').expect(202)).body).toEqual({ replayed: count });
    expect(await replayed()).toBe(count);
    const again = await replay({ since }, 'replay-2').expect(202);
    expect([again.body, again.headers['idempotency-replayed']]).toEqual([{ replayed: count }, 'true']);
  });

  it('202: deliveries replayed to a paused endpoint are sent once it is active', async () => {
    await recordEvent(gateway, client.id);
    await endDeliveries(gateway, 'failed');
    await client.call('patch', `/${webhookId}`).send({ status: 'paused' }).expect(200);
    expect((await replay({ since }).expect(202)).body).toEqual({ replayed: 1 });
    expect(await only()).toMatchObject({ status: 'paused', next_attempt_at: null });
    await client.call('patch', `/${webhookId}`).send({ status: 'active' }).expect(200);
    expect(await only()).toMatchObject({ status: 'pending', next_attempt_at: expect.any(String) });
  });

  it.each([
    ['status=open', 'status'],
    ['event=capture.unknown', 'event'],
    ['since=yesterday', 'since'],
    ['since=2026-11-20T10:00:00+01:00', 'since'],
    ['since=2026-11-20T10:00:00Z&until=2026-11-20T10:00:00Z', 'until'],
    ['account_id=acc_1', 'account_id'],
    ['webhook_id=foo', 'webhook_id'],
    ['limit=0', 'limit'],
    ['status=failed&status=paused', 'status'],
  ])('400: a list by %s', async (query, field) => {
    const { body } = await client.call('get', `/deliveries?${query}`).expect(400);
    expect(body.details[0].field).toBe(field);
  });

  it.each([
    [{}, 'since'],
    [{ since: 5 }, 'since'],
    [{ since, until: since }, 'until'],
    [{ since, status: 'pending' }, 'status'],
    [{ since, webhook_id: 'wh_1' }, 'webhook_id'],
  ])('400: a replay of %j', async (input, field) => {
    const { body } = await replay(input).expect(400);
    expect(body.details[0].field).toBe(field);
  });

  it("404: another account's delivery, which is not sent", async () => {
    await recordEvent(gateway, client.id);
    const { id } = await only();
    await endDeliveries(gateway, 'failed');
    for (const someId of [id, 'dlv_unknown']) {
      await stranger.call('get', `/deliveries/${someId}`).expect(404);
      await stranger.call('post', `/deliveries/${someId}/retry`).expect(404);
      await stranger.call('post', `/deliveries/${someId}/retry`).set('Idempotency-Key', 'k').expect(404);
    }
    await stranger.call('post', `/${webhookId}/replay`).send({ since }).expect(404);
    await stranger.call('post', `/${webhookId}/replay`).set('Idempotency-Key', 'k').send({ since }).expect(404);
    expect((await stranger.call('get', `/deliveries?webhook_id=${webhookId}`)).body.deliveries).toEqual([]);
    expect(await only()).toMatchObject({ status: 'failed' });
  });
});
