import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  failIfBad,
  onePixel,
  startSecondGateway,
  startTestGateway,
  startTestWorker,
  type TestGateway,
} from '../../test-gateway.ts';

let gateway: TestGateway;
let key: string;
beforeEach(async () => {
  gateway = await startTestGateway();
  key = await gateway.register('captures@example.com', 'pro');
});
afterEach(() => gateway.close());

const submit = (body: object = {}, headers: Record<string, string> = {}) =>
  gateway.http
    .post('/api/v1/screenshot')
    .set({ 'X-API-Key': key, ...headers })
    .send({ url: 'https://example.com/', async: true, ...body });
const read = (path: string, as = key) => gateway.as(as).get(`/api/v1/captures${path}`);
const ended = (id: string) =>
  waitUntil(
    async () => {
      const { body } = await read(`/${id}`);
      return ['completed', 'failed', 'cancelled'].includes(body.status) ? body : null;
    },
    { what: `${id} to end` },
  );
const usage = async () => gateway.database.prisma.usage.findFirst();

describe('an asynchronous capture', () => {
  it('202: returns a status URL that leads to its record', async () => {
    const { body, headers } = await submit({ metadata: { order: '4711' } }).expect(202);
    expect(body).toEqual({
      request_id: headers['x-request-id'],
      status: 'queued',
      status_url: `http://capture.test/api/v1/captures/${headers['x-request-id']}`,
      position: 0,
      // No worker is running yet.
      eta_ms: null,
    });
    expect((await read(`/${body.request_id}`).expect(200)).body).toMatchObject({ status: 'queued', file_url: null });
    startTestWorker(gateway, () => 'completed');
    const record = await ended(body.request_id);
    expect(record).toMatchObject({ status: 'completed', metadata: { order: '4711' }, file_size: onePixel.length });
    await gateway.http.get(record.file_url.replace('http://capture.test', '')).expect(200);
  });

  it('returns the position, counting other accounts only up to the capture’s turn', async () => {
    for (let i = 0; i < 3; i++) expect((await submit().expect(202)).body.position).toBe(i);
    const other = await gateway.register('other@example.com', 'pro');
    const first = await gateway
      .as(other)
      .post('/api/v1/screenshot')
      .send({ url: 'https://example.com/', async: true })
      .expect(202);
    expect(first.body.position).toBe(1);
  });
});

describe('GET /api/v1/captures', () => {
  it('200: returns pages, newest first, with filters', async () => {
    startTestWorker(gateway, failIfBad);
    const ids: string[] = [];
    for (const url of ['https://a.example', 'https://bad.example', 'https://b.example']) {
      const { body } = await submit({ url });
      ids.push((await ended(body.request_id)).request_id);
    }
    const first = await read('?limit=2').expect(200);
    const second = await read(`?limit=2&cursor=${first.body.next_cursor}`).expect(200);
    const listed = [...first.body.captures, ...second.body.captures].map(
      (row: { request_id: string }) => row.request_id,
    );
    expect(listed).toEqual(ids.toReversed());
    expect(second.body.next_cursor).toBeNull();
    const failed = await read('?status=failed&type=screenshot').expect(200);
    expect(failed.body.captures.map((row: { request_id: string }) => row.request_id)).toEqual([ids[1]]);
    expect((await read('?status=gone').expect(400)).body.details[0].field).toBe('status');
    expect((await read('?batch_id=foo').expect(400)).body.error_message).toBe(
      'The request is not valid: batch_id must be the id of a batch, such as batch_01kaek2v2gf3d9w8q0x5m7r4tz (given: "foo").',
    );
  });

  it('200: finds captures by part of their URL and by time', async () => {
    const ids: string[] = [];
    for (const path of ['pricing', 'Pricing/teams', 'about_us']) {
      ids.push((await submit({ url: `https://example.com/${path}` }).expect(202)).body.request_id);
    }
    const found = async (query: string) =>
      (await read(query).expect(200)).body.captures.map((row: { request_id: string }) => row.request_id);
    expect(await found('?url=PRICING')).toEqual([ids[1], ids[0]]);
    expect(await found('?url=pricing&limit=1')).toEqual([ids[1]]);
    expect(await found(`?url=pricing&cursor=${ids[1]}`)).toEqual([ids[0]]);
    // `url` is no pattern: `_` and `%` match themselves.
    expect(await found('?url=about_us')).toEqual([ids[2]]);
    expect(await found('?url=about%25')).toEqual([]);
    const now = Date.now();
    expect(await found(`?since=${new Date(now - 60_000).toISOString()}&status=queued`)).toEqual(ids.toReversed());
    expect(await found(`?until=${new Date(now - 60_000).toISOString()}&url=pricing`)).toEqual([]);
    const { body } = await read('?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z').expect(400);
    expect(body.details[0].field).toBe('until');
  });

  it('200: a list by type continues where the previous search stopped', async () => {
    const { body } = await submit({ url: 'https://example.com/old' }).expect(202);
    const { pool } = gateway.database;
    await pool.query(`UPDATE capture SET type = 'pdf' WHERE id = $1`, [body.request_id]);
    // One request reads at most 10,000 captures, so the test adds as many newer screenshots.
    await pool.query(
      `INSERT INTO capture (id, account_id, type, status, url, options, month, created_at, completed_at)
       SELECT 'req_7z' || lpad(n::text, 24, '0'), account_id, 'screenshot', 'failed', url, '{}', month, created_at, created_at
         FROM capture, generate_series(1, 10000) n WHERE id = $1`,
      [body.request_id],
    );
    const first = (await read('?type=pdf').expect(200)).body;
    expect(first).toEqual({ captures: [], next_cursor: 'req_7z000000000000000000000001' });
    const second = (await read(`?type=pdf&cursor=${first.next_cursor}`).expect(200)).body;
    expect(second).toMatchObject({ captures: [{ request_id: body.request_id }], next_cursor: null });
  });

  it("404: another account's capture", async () => {
    const { body } = await submit().expect(202);
    const other = await gateway.register('other@example.com');
    await read(`/${body.request_id}`, other).expect(404);
    await gateway.as(other).delete(`/api/v1/captures/${body.request_id}`).expect(404);
    expect((await read('', other).expect(200)).body.captures).toEqual([]);
  });
});

describe('DELETE /api/v1/captures/:id', () => {
  const remove = (id: string) => gateway.as(key).delete(`/api/v1/captures/${id}`);

  it('204: cancels a queued capture and returns its quota', async () => {
    const { body } = await submit().expect(202);
    expect(await usage()).toMatchObject({ used: 0, reserved: 1 });
    await remove(body.request_id).expect(204);
    expect((await read(`/${body.request_id}`)).body.status).toBe('cancelled');
    expect(await usage()).toMatchObject({ used: 0, reserved: 0 });
    await remove(body.request_id).expect(204);
    expect(await usage()).toMatchObject({ used: 0, reserved: 0 });
  });

  it('204: deletes the file and keeps the record', async () => {
    startTestWorker(gateway, () => 'completed');
    const { body } = await submit().expect(202);
    const record = await ended(body.request_id);
    const { storageKey } = await gateway.database.prisma.capture.findUniqueOrThrow({ where: { id: body.request_id } });
    await remove(body.request_id).expect(204);
    expect(await gateway.storage.open(storageKey!)).toBeNull();
    await gateway.http.get(record.file_url.replace('http://capture.test', '')).expect(404);
    expect((await read(`/${body.request_id}`)).body).toMatchObject({ status: 'completed', file_url: null });
    expect(await usage()).toMatchObject({ used: 1, reserved: 0 });
  });
});

describe('cache_ttl_s', () => {
  it('serves an equal capture without quota, and keeps its file until the last record is deleted', async () => {
    const worker = startTestWorker(gateway, () => 'completed');
    const { body: first } = await submit();
    await ended(first.request_id);
    await worker.close();

    const { body: again } = await submit({ cache_ttl_s: 3_600, width: 1280 }).expect(202);
    expect(again).toMatchObject({ status: 'completed', position: 0 });
    const record = (await read(`/${again.request_id}`)).body;
    expect(record).toMatchObject({ status: 'completed', cached: true, width: 1, duration_ms: 0 });
    expect(await usage()).toMatchObject({ used: 1, reserved: 0 });
    const bytes = await submit({ async: false, cache_ttl_s: 3_600 }).expect(200);
    expect(Buffer.compare(bytes.body, onePixel)).toBe(0);

    for (const id of [first.request_id, bytes.headers['x-request-id']]) {
      await gateway.as(key).delete(`/api/v1/captures/${id}`).expect(204);
    }
    const link = record.file_url.replace('http://capture.test', '');
    await gateway.http.get(link).expect(200);
    await gateway.as(key).delete(`/api/v1/captures/${again.request_id}`).expect(204);
    await gateway.http.get(link).expect(404);
  });

  it('does not serve an older or different capture, or another account’s', async () => {
    startTestWorker(gateway, () => 'completed');
    const { body: first } = await submit();
    await ended(first.request_id);
    await gateway.database.pool.query(`UPDATE capture SET completed_at = completed_at - interval '10 seconds'`);
    const statuses = [
      (await submit({ cache_ttl_s: 5 })).body.status,
      (await submit({ cache_ttl_s: 3_600, width: 1_281 })).body.status,
      (await submit({ cache_ttl_s: 0 })).body.status,
    ];
    const other = await gateway.register('other@example.com', 'pro');
    const theirs = gateway.as(other).post('/api/v1/screenshot');
    statuses.push((await theirs.send({ url: 'https://example.com/', async: true, cache_ttl_s: 3_600 })).body.status);
    expect(statuses).toEqual(['queued', 'queued', 'queued', 'queued']);
  });
});

describe('Idempotency-Key', () => {
  const keyed = (body: object = {}, name = 'one') => submit(body, { 'Idempotency-Key': name });

  it('turns 50 parallel equal requests into one capture, one unit of quota and 50 equal responses', async () => {
    const free = await gateway.register('free@example.com');
    const responses = await Promise.all(
      Array.from({ length: 50 }, () =>
        gateway.http
          .post('/api/v1/screenshot')
          .set({ 'X-API-Key': free, 'Idempotency-Key': 'fifty' })
          .send({ url: 'https://example.com/', async: true }),
      ),
    );
    expect(new Set(responses.map((response) => `${response.status} ${response.text}`)).size).toBe(1);
    expect(responses[0]?.status).toBe(202);
    expect(responses.filter((response) => response.headers['idempotency-replayed'] === 'true')).toHaveLength(49);
    expect(await gateway.database.prisma.capture.count()).toBe(1);
    expect(await usage()).toMatchObject({ used: 0, reserved: 1 });
  });

  it('replays the bytes, during and after the first request', async () => {
    const sent = [keyed({ async: false }), keyed({ async: false })].map((one) => one.then((response) => response));
    await waitUntil(() => gateway.captureWaiter.size === 2, { what: 'both to wait for one capture' });
    startTestWorker(gateway, () => 'completed');
    const responses = [...(await Promise.all(sent)), await keyed({ async: false })];
    expect(responses.map((response) => response.status)).toEqual([200, 200, 200]);
    expect(new Set(responses.map((response) => response.headers['x-request-id'])).size).toBe(1);
    for (const { body } of responses) expect(Buffer.compare(body, onePixel)).toBe(0);
    expect(await usage()).toMatchObject({ used: 1, reserved: 0 });
  });

  it('409: a different body under the same key', async () => {
    await keyed().expect(202);
    expect((await keyed({ width: 900 }).expect(409)).body.error_code).toBe('IDEMPOTENCY_CONFLICT');
    expect((await keyed({ async: false }).expect(409)).body.error_code).toBe('IDEMPOTENCY_CONFLICT');
    await keyed({ width: 900 }, 'two').expect(202);
  });

  it('survives a rotation of SECRET_KEY for a request with secret options', async () => {
    const cookies = (value: string) => ({ cookies: [{ name: 'session', value }] });
    const first = await keyed(cookies('a')).expect(202);
    const second = await startSecondGateway(gateway, {
      settings: { SECRET_KEY: 'another key of more than 32 characters', SECRET_KEY_PREVIOUS: gateway.links.secretKey },
    });
    const again = (value: string) =>
      second.http
        .post('/api/v1/screenshot')
        .set({ 'X-API-Key': key, 'Idempotency-Key': 'one' })
        .send({ url: 'https://example.com/', async: true, ...cookies(value) });
    expect((await again('a').expect(202)).text).toBe(first.text);
    await again('b').expect(409);
    await second.close();
  });

  it('is separate per account', async () => {
    await keyed().expect(202);
    const other = await gateway.register('other@example.com', 'pro');
    const theirs = gateway.http.post('/api/v1/screenshot').set({ 'X-API-Key': other, 'Idempotency-Key': 'one' });
    const response = await theirs.send({ url: 'https://example.com/', async: true }).expect(202);
    expect(response.headers['idempotency-replayed']).toBeUndefined();
  });

  it('does not store a 429 or a 5xx', async () => {
    startTestWorker(gateway, ({ attempt, url }) =>
      url.includes('crash') && attempt === 1 ? { code: 'RENDERING_FAILED', message: 'crashed' } : 'completed',
    );
    const crashed = await keyed({ async: false, url: 'https://crash.example' }, 'crash').expect(500);
    const again = await keyed({ async: false, url: 'https://crash.example' }, 'crash');
    expect(again.headers['x-request-id']).not.toBe(crashed.headers['x-request-id']);

    const { id } = await gateway.database.prisma.account.findFirstOrThrow();
    await gateway.database.prisma.usage.updateMany({ where: { accountId: id }, data: { used: 15_000 } });
    await keyed({}, 'quota').expect(429);
    await gateway.database.prisma.usage.updateMany({ where: { accountId: id }, data: { used: 0 } });
    expect((await keyed({}, 'quota').expect(202)).headers['idempotency-replayed']).toBeUndefined();
  });

  it('is released when the process that holds the key dies', async () => {
    const holder = await gateway.database.pool.connect();
    const { id } = await gateway.database.prisma.account.findFirstOrThrow();
    await holder.query('BEGIN');
    await holder.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${id} one`]);
    // A request that finds the key in use holds no connection: it takes a connection for each try.
    let tries = 0;
    gateway.database.pool.on('acquire', () => {
      tries += 1;
    });
    const sent = keyed().then((response) => response);
    await waitUntil(() => tries > 10, { what: 'the next request to try again' });
    // A killed process loses its connections.
    holder.release(new Error('killed'));
    expect((await sent).status).toBe(202);
  });

  it('400: too long, empty, or on a route that shows a secret', async () => {
    expect((await keyed({}, 'x'.repeat(256)).expect(400)).body.details[0].field).toBe('Idempotency-Key');
    const register = gateway.http.post('/api/auth/register').set('Idempotency-Key', 'one');
    await register.send({ email: 'new@example.com' }).expect(400);
    await gateway.http.post('/api/v1/keys').set({ 'X-API-Key': key, 'Idempotency-Key': 'one' }).expect(400);
  });
});

it('503: OVERLOADED immediately, with the queue’s estimated time, if the queue is too long and no equal capture is cached', async () => {
  const worker = startTestWorker(gateway, () => 'completed');
  await submit({ async: false }).expect(200);
  await worker.close();
  // The last captures took 10 s; the account has a queue of 40 on the six pages that it may use.
  const { pool, prisma } = gateway.database;
  await pool.query('UPDATE capture SET duration_ms = 10000');
  await pool.query(`INSERT INTO capture (id, account_id, type, url, options, fingerprint, month, created_at)
    SELECT 'req_waiting' || i, account_id, type, url, options, fingerprint, month, now()
      FROM capture, generate_series(1, 40) AS i`);
  await pool.query('UPDATE worker SET heartbeat_at = now()');
  const { id } = await prisma.account.findFirstOrThrow();
  await waitUntil(async () => (await gateway.queueEstimate.next(id)).position === 40, {
    what: 'the estimate to see the queue',
  });
  const response = await submit({ async: false }).expect(503);
  expect(response.body.error_code).toBe('OVERLOADED');
  // 35 captures must end before the next one starts, and a client waits 30 s.
  expect(response.headers['retry-after']).toBe(String(Math.ceil((35 / 6) * 10 - 30)));
  // An immediate refusal records no capture.
  expect(await prisma.capture.count()).toBe(41);
  // A cached capture needs no worker.
  await submit({ async: false, cache_ttl_s: 3_600 }).expect(200);
  await submit({ async: false, cache_ttl_s: 3_600, width: 999 }).expect(503);
});
