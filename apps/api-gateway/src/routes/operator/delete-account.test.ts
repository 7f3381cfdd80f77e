import { insertEvent } from '@capture/database/deliveries/insert-event';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startAccountRemoval } from '../../operator/account-removal.ts';
import { startSecondGateway, startSharedGateway, startTestWorker, type TestGateway } from '../../test-gateway.ts';

const gateway = await startSharedGateway();
const second = await startSecondGateway(gateway);

describe('DELETE /api/operator/accounts/:id', () => {
  let worker: { close(): Promise<void> };
  let rendering: Promise<void>;
  beforeEach(() => {
    rendering = Promise.resolve();
    worker = startTestWorker(
      gateway,
      () => 'completed',
      () => rendering,
    );
  });
  afterEach(() => worker.close());

  const remove = (id: string) => gateway.asOperator.delete(`/api/operator/accounts/${id}`);
  const idOf = async (key: string) => (await gateway.as(key).get('/api/v1/account')).body.id;
  const capture = (key: string, more: object = {}) =>
    gateway
      .as(key)
      .post('/api/v1/screenshot')
      .send({ url: 'https://example.com/', response_type: 'json', ...more });
  const pathOf = (url: string) => url.slice(url.indexOf('/files/'));
  const rows = async (table: string, accountId: string) => {
    const { rows: found } = await gateway.database.pool.query(
      `SELECT count(*)::int FROM ${table} WHERE account_id = $1`,
      [accountId],
    );
    return found[0].count;
  };

  it('204: keys, sessions and links stop on every gateway, files and records are deleted, the email address is free again', async () => {
    const key = await gateway.register('gone@example.com', 'pro');
    const other = await gateway.register('stays@example.com', 'pro');
    const id = await idOf(key);
    const signedIn = await gateway.http.post('/api/auth/session').send({ api_key: key }).expect(200);
    const cookie = (signedIn.headers['set-cookie'] as unknown as string[])[0]?.split(';')[0] ?? '';
    const account = (at: Pick<TestGateway, 'http'>, headers: Record<string, string>) =>
      at.http.get('/api/v1/account').set(headers);
    const drawn = await capture(key).expect(200);
    const theirs = await capture(other).expect(200);
    const row = await gateway.database.prisma.capture.findUniqueOrThrow({ where: { id: drawn.body.request_id } });
    await gateway.http.get(pathOf(drawn.body.file_url)).expect(200);
    await account(second, { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' }).expect(200);

    await remove(id).expect(204);
    for (const at of [gateway, second]) {
      await account(at, { 'X-API-Key': key }).expect(401);
      await account(at, { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' }).expect(401);
      await at.http.get(pathOf(drawn.body.file_url)).expect(404);
      await at.http.post('/api/auth/session').send({ api_key: key }).expect(401);
    }
    expect(await gateway.storage.open(row.storageKey ?? '')).toBeNull();
    for (const table of ['capture', 'api_key', 'usage', 'event', 'delivery', 'receiver']) {
      expect([table, await rows(table, id)]).toEqual([table, 0]);
    }
    expect(await gateway.database.prisma.account.count({ where: { id } })).toBe(0);
    const list = await gateway.asOperator.get('/api/operator/accounts?email=gone@example.com');
    expect(list.body.accounts).toEqual([]);

    await account(gateway, { 'X-API-Key': other }).expect(200);
    await gateway.http.get(pathOf(theirs.body.file_url)).expect(200);
    const again = await gateway.register('gone@example.com');
    expect(await idOf(again)).not.toBe(id);
  });

  it('204: notifies a client that waits for a running capture, and ignores the worker’s late result', async () => {
    const key = await gateway.register('rendering@example.com', 'pro');
    const id = await idOf(key);
    let render = () => {};
    rendering = new Promise((resolve) => {
      render = resolve;
    });
    // Without the notification the request would wait longer than the test may take.
    const waiting = capture(key, { timeout_ms: 120_000 }).then((response) => response);
    const processing = () => gateway.database.prisma.capture.count({ where: { accountId: id, status: 'processing' } });
    await waitUntil(async () => (await processing()) === 1, { what: 'the capture to be rendered' });
    await remove(id).expect(204);
    const { status, body } = await waiting;
    expect([status, body.error_code]).toEqual([404, 'NOT_FOUND']);
    render();
    await worker.close();
    expect(await rows('capture', id)).toBe(0);
    expect(await rows('event', id)).toBe(0);
  });

  it('204: another gateway removes the data that a killed gateway left, however much', async () => {
    const key = await gateway.register('large@example.com', 'pro');
    const id = await idOf(key);
    const event = { name: 'capture.completed', body: Buffer.from('{}') } as const;
    const receiver = { webhookId: null, url: 'https://hooks.example.com/', paused: false };
    for (let i = 0; i < 30; i++) {
      const of = { at: new Date(), captureId: `req_of_${id}_${i}` };
      await insertEvent(gateway.database.pool, id, [receiver], event, of);
    }
    await gateway.database.pool.query(
      `INSERT INTO capture (id, account_id, type, status, url, options, month, created_at)
       SELECT 'req_' || md5($1 || n), $1, 'screenshot', 'queued', 'https://example.com/', '{}', '2026-11', now()
         FROM generate_series(1, 3000) n`,
      [id],
    );
    // This gateway is killed before it removes anything.
    const dead = await startSecondGateway(gateway, {
      parts: { accountRemoval: { begin: async () => {}, stop: async () => {} } },
    });
    await dead.asOperator.delete(`/api/operator/accounts/${id}`).expect(204);
    expect(await rows('delivery', id)).toBe(30);
    await gateway.as(key).get('/api/v1/account').expect(401);

    const next = startAccountRemoval(gateway);
    await next.begin();
    await waitUntil(async () => (await gateway.database.prisma.account.count({ where: { id } })) === 0, {
      what: 'the account to be removed',
    });
    for (const table of ['capture', 'delivery', 'event']) expect(await rows(table, id)).toBe(0);
    await next.stop();
  });

  it('204: keeps the rows that name files until the storage removes them, and removes other accounts meanwhile', async () => {
    const id = await idOf(await gateway.register('stored@example.com', 'pro'));
    const other = await idOf(await gateway.register('other@example.com', 'pro'));
    const keys = Array.from({ length: 30 }, (_, n) => `${id}-${n}.png`);
    for (const key of keys) await gateway.storage.put(key, Buffer.from('a file'));
    await gateway.database.pool.query(
      `INSERT INTO capture (id, account_id, type, status, url, options, month, storage_key, expires_at, created_at)
       SELECT 'req_' || md5(key), $1, 'screenshot', 'completed', 'https://example.com/', '{}', '2026-11', key, now(), now()
         FROM unnest($2::text[]) AS key`,
      [id, keys],
    );
    const remove = () => Promise.reject(new Error('unavailable'));
    const failing = startAccountRemoval({ ...gateway, storage: { remove } });
    const dead = await startSecondGateway(gateway, { parts: { accountRemoval: failing } });
    for (const each of [id, other]) await dead.asOperator.delete(`/api/operator/accounts/${each}`).expect(204);
    expect([await rows('capture', id), await rows('capture', other)]).toEqual([30, 0]);
    expect(await gateway.database.prisma.account.count({ where: { id: other } })).toBe(0);
    await failing.stop();

    const next = startAccountRemoval(gateway);
    await next.begin();
    await next.stop();
    expect(await gateway.database.prisma.account.count({ where: { id } })).toBe(0);
    for (const key of keys) expect(await gateway.storage.open(key)).toBeNull();
  });

  it('404: an unknown or deleted account', async () => {
    await remove('acc_unknown').expect(404);
    const id = await idOf(await gateway.register('twice@example.com'));
    await remove(id).expect(204);
    await remove(id).expect(404);
    const call = (method: 'patch' | 'post', path: string) =>
      gateway.asOperator[method](`/api/operator/accounts/${id}${path}`);
    await call('patch', '').send({ status: 'active' }).expect(404);
    await call('post', '/keys').expect(404);
    await call('post', '/signing-secret').expect(404);
  });

  it('401: without the operator key', async () => {
    const key = await gateway.register('mine@example.com');
    const id = await idOf(key);
    await gateway.http.delete(`/api/operator/accounts/${id}`).set('Authorization', `Bearer ${key}`).expect(401);
    await gateway.as(key).get('/api/v1/account').expect(200);
  });
});
