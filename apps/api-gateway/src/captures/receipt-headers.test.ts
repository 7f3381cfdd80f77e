import type { Quality } from '@capture/contract/quality';
import { claimCapture } from '@capture/database/captures/claim-capture';
import { type CaptureOutcome, endCapture, type StoredReceipt } from '@capture/database/captures/end-capture';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { onePixel, startTestGateway, type TestGateway } from '../test-gateway.ts';

const receipt: StoredReceipt = {
  final_url: 'https://example.com/größe/📷\r\nX-Evil: 1',
  redirects: ['https://example.com/'],
  http_status: 203,
  navigations: 1,
  isolation: 'account',
  title: 'Ein „Titel“',
  timings: {
    queue_ms: 1,
    browser_ms: 6,
    other_tries_ms: 7,
    navigation_ms: 2,
    waiting_ms: 3,
    acting_ms: 0,
    capture_ms: 4,
    storing_ms: 5,
  },
  wait: 'in flight',
  tries: 2,
  browser_failures: ['ended'],
  requests: {
    total: 7,
    failed: 3,
    blocked: 2,
    bytes: 1_000,
    cut_off: null,
    failures: [{ url: 'https://example.com/a', reason: '404' }],
  },
  dialogs: 0,
  console_errors: ['error'],
  script_error: null,
  ads: null,
  cookie_banner: null,
};

const fine: Quality = { ok: true, reasons: [], repaired: ['blank'] };
const doubtful: Quality = { ok: false, reasons: ['incomplete', 'overlay'], repaired: [] };

describe('the receipt of a capture', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startTestGateway();
  });
  afterEach(() => gateway.close());

  /** Requests a capture and ends it with `outcome`, as a worker would. */
  async function capture(
    outcome: 'completed' | 'failed' | 'rejected',
    query: Record<string, string> = {},
    quality: Quality | null = fine,
  ) {
    const key = await gateway.register('receipt@example.com', 'pro');
    const request = gateway.http.get('/api/v1/screenshot').query({ url: 'https://example.com/', ...query });
    const responding = request.set('X-API-Key', key).then((response) => response);
    const { id } = await waitUntil(() => gateway.database.prisma.capture.findFirst(), { what: 'the capture' });
    const claimed = await claimCapture(gateway.database.pool, { captureId: id, workerId: 'test' });
    await gateway.storage.put(`${id}.png`, onePixel);
    const file = { format: 'png', width: 1, height: 1, fileSize: onePixel.length, storageKey: `${id}.png` };
    const outcomes: Record<typeof outcome, CaptureOutcome> = {
      completed: { status: 'completed', ...file, expiresAt: new Date(Date.now() + 60_000) },
      failed: { status: 'failed', errorCode: 'HTTP_STATUS', errorMessage: 'The page responded with status 203.' },
      rejected: { status: 'failed', errorCode: 'QUALITY_REJECTED', errorMessage: 'The capture was rejected: overlay.' },
    };
    const ending = {
      captureId: id,
      attempt: claimed?.attempt ?? 0,
      durationMs: 600,
      at: new Date(),
      receipt,
      ...(quality && { quality }),
    };
    await endCapture(gateway.database.pool, gateway, { ...ending, outcome: outcomes[outcome] });
    return { response: await responding, key, id };
  }

  it.each([
    ['completed', 200],
    ['failed', 422],
  ] as const)('is in the record, with its main figures in the response headers (%s)', async (outcome, status) => {
    const { response, key, id } = await capture(outcome);
    expect(response.status).toBe(status);
    expect(response.headers).toMatchObject({
      'x-capture-duration-ms': '600',
      'x-capture-final-url': 'https://example.com/gr%C3%B6%C3%9Fe/%F0%9F%93%B7%0D%0AX-Evil: 1',
      'x-capture-http-status': '203',
      'x-capture-wait': 'in flight',
      'x-capture-quality': 'ok',
      'x-capture-failed-requests': '3',
      'x-capture-blocked-requests': '2',
    });
    const { body } = await gateway.as(key).get(`/api/v1/captures/${id}`).expect(200);
    expect(body.receipt).toEqual({ ...receipt, quality: fine });
  });

  it('is in the response with response_type=json', async () => {
    const { response } = await capture('completed', { response_type: 'json' });
    expect(response.body.receipt).toEqual({ ...receipt, quality: fine });
    expect(response.headers['x-capture-duration-ms']).toBe('600');
  });

  it.each([
    ['the reasons', doubtful, 'incomplete,overlay'],
    ['ok', fine, 'ok'],
    ['null and no header where it is unknown', null, undefined],
  ] as const)('the quality is in the record and in a header: %s', async (_, quality, header) => {
    const { response, key, id } = await capture('completed', {}, quality);
    expect(response.headers['x-capture-quality']).toBe(header);
    const { body } = await gateway.as(key).get(`/api/v1/captures/${id}`).expect(200);
    expect([body.quality, body.receipt.quality]).toEqual([quality, quality]);
    const { body: list } = await gateway.as(key).get('/api/v1/captures').expect(200);
    expect(list.captures[0].quality).toEqual(quality);
  });

  it('a rejected capture is a 422 with the reasons in its details, and is not charged', async () => {
    const { response, key, id } = await capture('rejected', { fail_on: 'blank,overlay' }, doubtful);
    expect(response.status).toBe(422);
    expect(response.body).toMatchObject({
      error_code: 'QUALITY_REJECTED',
      request_id: id,
      details: [
        { field: 'quality.incomplete', message: expect.stringContaining('did not arrive') },
        { field: 'quality.overlay', message: expect.stringContaining('covers') },
      ],
    });
    expect(response.headers['x-capture-quality']).toBe('incomplete,overlay');
    const { body } = await gateway.as(key).get(`/api/v1/captures/${id}`).expect(200);
    expect(body).toMatchObject({ status: 'failed', error_code: 'QUALITY_REJECTED', quality: doubtful });
    const { body: account } = await gateway.as(key).get('/api/v1/account').expect(200);
    expect(account.usage).toMatchObject({ used: 0, reserved: 0 });
  });

  it('a capture from the cache has the quality of its file', async () => {
    const { key } = await capture('completed', { cache_ttl_s: '600' }, doubtful);
    const query = { url: 'https://example.com/', cache_ttl_s: '600' };
    const cached = await gateway.http.get('/api/v1/screenshot').query(query).set('X-API-Key', key).expect(200);
    expect(cached.headers['x-capture-quality']).toBe('incomplete,overlay');
    const { body } = await gateway.as(key).get(`/api/v1/captures/${cached.headers['x-request-id']}`).expect(200);
    expect(body).toMatchObject({ cached: true, quality: doubtful, receipt: null });
  });
});
