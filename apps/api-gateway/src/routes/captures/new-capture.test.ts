import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FormName, forms } from '@capture/contract/forms/forms';
import { claimCapture } from '@capture/database/captures/claim-capture';
import { endCapture } from '@capture/database/captures/end-capture';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { onePixel, startTestGateway, startTestWorker, type TestGateway } from '../../test-gateway.ts';

const target = 'https://example.com/';

describe.each<FormName>(['A', 'B'])('/api/v1/screenshot in form %s', (name) => {
  const form = forms[name];
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startTestGateway(name);
  });
  afterEach(() => gateway.close());

  const get = (key: string, query: Record<string, unknown>) =>
    gateway
      .as(key)
      .get('/api/v1/screenshot')
      .query({ url: target, ...query });
  const post = (key: string, body: object) =>
    gateway
      .as(key)
      .post('/api/v1/screenshot')
      .send({ url: target, ...body });
  const usage = async () => (await gateway.database.prisma.usage.findMany())[0] ?? null;

  describe('200', () => {
    it('returns the bytes, the id and the rate limit headers', async () => {
      startTestWorker(gateway, () => 'completed');
      const key = await gateway.register('bytes@example.com');
      const response = await get(key, {}).expect(200);
      expect(response.headers['content-type']).toBe('image/png');
      expect(Buffer.compare(response.body, onePixel)).toBe(0);
      const capture = await gateway.database.prisma.capture.findFirstOrThrow();
      expect(response.headers['x-request-id']).toBe(capture.id);
      const limit = form.plans.free?.monthlyLimit ?? 0;
      expect(response.headers['x-ratelimit-limit']).toBe(String(limit));
      expect(response.headers['x-ratelimit-remaining']).toBe(String(limit - 1));
      expect(await usage()).toMatchObject({ used: 1, reserved: 0 });
    });

    it('accepts a URL without a scheme, jpg and 1, and keeps the options as given', async () => {
      startTestWorker(gateway, () => 'completed');
      const key = await gateway.register('lenient@example.com');
      await get(key, { url: 'example.com/shop', format: 'jpg', full_page: '1' }).expect(200);
      const { url, options } = await gateway.database.prisma.capture.findFirstOrThrow();
      expect(url).toBe('https://example.com/shop');
      expect(options).toEqual({ url: 'example.com/shop', format: 'jpg', full_page: true });
    });

    it('returns the record instead of the bytes, and a link that needs no key', async () => {
      startTestWorker(gateway, () => 'completed');
      const key = await gateway.register('record@example.com');
      const { body, headers } = await post(key, { response_type: 'json', width: 800 }).expect(200);
      expect(body).toMatchObject({
        request_id: headers['x-request-id'],
        status: 'completed',
        url: target,
        type: 'screenshot',
        format: 'png',
        width: 1,
        height: 1,
        file_size: onePixel.length,
        duration_ms: 5,
        error_code: null,
        options: { url: target, response_type: 'json', width: 800 },
      });
      const file = await gateway.http.get(body.file_url.replace('http://capture.test', '')).expect(200);
      expect(Buffer.compare(file.body, onePixel)).toBe(0);
      expect(file.headers['content-type']).toBe('image/png');
    });
  });

  describe('400 costs nothing and names the invalid field', () => {
    it.each([
      [{ url: 'ftp://example.com' }, 'url'],
      [{ url: 'https://user:secret@example.com' }, 'url'],
      [{ width: 15 }, 'width'],
      [{ width: '1280px' }, 'width'],
      [{ format: 'gif' }, 'format'],
      [{ quality: 80 }, 'quality'],
      [{ nonsense: 1 }, 'nonsense'],
      [{ timeout_ms: 120_001 }, 'timeout_ms'],
      [{ webhook_url: 'http://example.com/hook' }, 'webhook_url'],
      [{ webhook_url: 'https://127.0.0.1/hook' }, 'webhook_url'],
      [{ webhook_url: 'https://0x7f.1/hook' }, 'webhook_url'],
      [{ webhook_url: 'https://[::ffff:10.0.0.1]/hook' }, 'webhook_url'],
    ])('%j', async (input, field) => {
      const key = await gateway.register('fields@example.com');
      for (const response of [await post(key, input), await get(key, input)]) {
        expect(response.status).toBe(400);
        expect(response.body.error_code).toBe('INVALID_REQUEST');
        expect(response.body.details.map((detail: { field: string }) => detail.field)).toEqual([field]);
      }
      expect(await gateway.database.prisma.capture.count()).toBe(0);
      expect(await usage()).toBeNull();
    });

    it('never repeats a password from the URL', async () => {
      const key = await gateway.register('secret@example.com');
      const { text } = await post(key, { url: 'https://user:injected@example.com' }).expect(400);
      expect(text + gateway.logged.join('')).not.toContain('injected');
    });

    it.each(['[]', 'null', '"text"', '7'])('refuses a body that is not an object: %s', async (body) => {
      const key = await gateway.register('odd@example.com');
      const sent = gateway.as(key).post('/api/v1/screenshot').set('Content-Type', 'application/json');
      expect((await sent.send(body).expect(400)).body.error_code).toBe('INVALID_REQUEST');
    });

    it('takes no token of the rate limit', async () => {
      const key = await gateway.register('rate@example.com');
      for (let i = 0; i < 30; i++) await get(key, { width: 1 }).expect(400);
      startTestWorker(gateway, () => 'completed');
      await get(key, {}).expect(200);
    });
  });

  describe('422, 504, 500: a failed capture', () => {
    it.each([
      ['URL_BLOCKED', 422],
      [form.errors.unreachable, 422],
      ['PAGE_TOO_LARGE', 422],
      ['CAPTURE_TIMEOUT', 504],
      ['RENDERING_FAILED', 500],
    ] as const)('%s returns %i and costs nothing', async (code, status) => {
      startTestWorker(gateway, () => ({ code, message: 'for this reason' }));
      const key = await gateway.register('failed@example.com');
      const response = await get(key, {}).expect(status);
      expect(response.body).toEqual({
        error_code: code,
        error_message: 'for this reason',
        request_id: response.headers['x-request-id'],
      });
      expect(response.headers['x-ratelimit-remaining']).toBe(String(form.plans.free?.monthlyLimit));
      expect(await usage()).toMatchObject({ used: 0, reserved: 0 });
    });
  });

  describe('429', () => {
    it('RATE_LIMITED once the bucket is empty, with the seconds to wait', async () => {
      startTestWorker(gateway, () => 'completed');
      const key = await gateway.register('quick@example.com');
      const capacity = (form.plans.free?.perSecond ?? 0) + (form.plans.free?.burst ?? 0);
      const begun = performance.now();
      const responses = await Promise.all(Array.from({ length: capacity + 20 }, () => get(key, {})));
      const refused = responses.filter((response) => response.status === 429);
      // The bucket refills while the requests are sent.
      const returned = ((performance.now() - begun) / 1_000) * (form.plans.free?.perSecond ?? 0);
      expect(responses.length - refused.length).toBeLessThanOrEqual(capacity + returned);
      expect(refused.length).toBeGreaterThan(0);
      for (const response of refused) {
        expect(response.body.error_code).toBe('RATE_LIMITED');
        expect(Number(response.headers['x-ratelimit-retryafter'])).toBeGreaterThanOrEqual(1);
        expect(response.headers['retry-after']).toBe(response.headers['x-ratelimit-retryafter']);
      }
      expect(await gateway.database.prisma.capture.count()).toBe(responses.length - refused.length);
    });

    it('QUOTA_EXCEEDED once the month’s quota is used, until the month ends', async () => {
      const key = await gateway.register('month@example.com');
      const { id } = await gateway.database.prisma.account.findFirstOrThrow();
      const month = new Date().toISOString().slice(0, 7);
      const used = form.plans.free?.monthlyLimit ?? 0;
      await gateway.database.prisma.usage.create({ data: { accountId: id, month, used } });
      const response = await get(key, {}).expect(429);
      expect(response.body.error_code).toBe('QUOTA_EXCEEDED');
      expect(response.headers['x-ratelimit-remaining']).toBe('0');
      const now = new Date();
      const left = (Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - now.getTime()) / 1_000;
      expect(Math.abs(Number(response.headers['retry-after']) - left)).toBeLessThan(5);
      expect(await gateway.database.prisma.capture.count()).toBe(0);
    });
  });

  describe('503', () => {
    it('OVERLOADED if no worker takes the capture in time; it is cancelled and its quota returned', async () => {
      const impatient = await startTestGateway(name, { parts: { queueWaitMs: 300 } });
      const key = await impatient.register('impatient@example.com');
      const sent = impatient.as(key).get('/api/v1/screenshot').query({ url: target });
      const response = await sent.expect(503);
      expect(response.body.error_code).toBe('OVERLOADED');
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
      expect(await impatient.database.prisma.capture.findFirst()).toMatchObject({ status: 'cancelled' });
      expect(await impatient.database.prisma.usage.findFirst()).toMatchObject({ used: 0, reserved: 0 });
      await impatient.close();
    });
  });

  it('keeps waiting for a capture that a worker takes at the last moment', async () => {
    const impatient = await startTestGateway(name, { parts: { queueWaitMs: 2_000 } });
    const key = await impatient.register('late@example.com');
    const sent = impatient.as(key).get('/api/v1/screenshot').query({ url: target });
    const response = sent.then((received) => received);
    const { id } = await waitUntil(() => impatient.database.prisma.capture.findFirst(), { what: 'the capture' });
    const taken = await claimCapture(impatient.database.pool, { captureId: id, workerId: 'test' });
    expect(taken).not.toBeNull();
    // The wait is longer than a capture may stay in the queue, but a worker has already claimed this capture.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    await impatient.storage.put(`${id}.png`, onePixel);
    await endCapture(impatient.database.pool, impatient, {
      captureId: id,
      attempt: taken?.attempt ?? 0,
      durationMs: 600,
      at: new Date(),
      outcome: {
        status: 'completed',
        format: 'png',
        width: 1,
        height: 1,
        fileSize: onePixel.length,
        storageKey: `${id}.png`,
        expiresAt: new Date(Date.now() + 60_000),
      },
    });
    expect((await response).status).toBe(200);
    await impatient.close();
  });

  it('sends the headers of its form, and no others', async () => {
    const key = await gateway.register('headers@example.com');
    const lookUp = await gateway.as(key).get('/api/v1/account').expect(200);
    expect(lookUp.headers['x-ratelimit-reset'] !== undefined).toBe(form.headers.rateLimitReset);
    expect(lookUp.headers['x-ratelimit-retryafter'] !== undefined).toBe(form.headers.retryAfter === 'always');
    if (form.headers.rateLimitReset) expect(lookUp.headers['x-ratelimit-reset']).toMatch(/^\d{4}-\d{2}-01$/);
  });

  it('sends no limit on an unlimited plan', async () => {
    const [unlimited] = Object.entries(form.plans).find(([, plan]) => plan.monthlyLimit === null) ?? [];
    if (unlimited === undefined) return;
    startTestWorker(gateway, () => 'completed');
    const key = await gateway.register('unlimited@example.com', unlimited);
    const response = await get(key, {}).expect(200);
    expect(response.headers['x-ratelimit-limit']).toBeUndefined();
    expect(response.headers['x-ratelimit-remaining']).toBeUndefined();
    const { body } = await gateway.as(key).get('/api/v1/account').expect(200);
    expect(body.usage).toMatchObject({ used: 1, limit: null });
  });

  it('finishes and counts the capture of a client that disconnects', async () => {
    const key = await gateway.register('gone@example.com');
    const server = createServer(gateway.app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = new AbortController();
    const sent = fetch(`${base}/api/v1/screenshot?url=${target}`, {
      headers: { 'X-API-Key': key },
      signal: client.signal,
    });
    const gone = expect(sent).rejects.toThrow(/abort/i);
    await waitUntil(() => gateway.database.prisma.capture.findFirst(), { what: 'the capture' });
    client.abort();
    await gone;
    await new Promise((resolve) => server.close(resolve));
    startTestWorker(gateway, () => 'completed');
    await waitUntil(async () => (await usage())?.used === 1, { what: 'the capture to count' });
    expect(await usage()).toMatchObject({ used: 1, reserved: 0 });
    const { body } = await gateway.as(key).get('/api/v1/captures').expect(200);
    expect(body.captures).toMatchObject([{ status: 'completed', error_code: null }]);
    const file = await gateway.http.get(body.captures[0].file_url.replace('http://capture.test', '')).expect(200);
    expect(Buffer.compare(file.body, onePixel)).toBe(0);
  });
});
