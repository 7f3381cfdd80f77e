import type { Receipt } from '@capture/contract/api/receipt';
import { claimCapture } from '@capture/database/captures/claim-capture';
import { type CaptureOutcome, endCapture } from '@capture/database/captures/end-capture';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { onePixel, startTestGateway, type TestGateway } from '../test-gateway.ts';

const receipt: Receipt = {
  final_url: 'https://example.com/größe/📷\r\nX-Evil: 1',
  redirects: ['https://example.com/'],
  http_status: 203,
  title: 'Ein „Titel“',
  timings: { queue_ms: 1, navigation_ms: 2, waiting_ms: 3, acting_ms: 0, capture_ms: 4, storing_ms: 5 },
  wait: 'in flight',
  tries: 1,
  requests: {
    total: 7,
    failed: 3,
    blocked: 2,
    bytes: 1_000,
    failures: [{ url: 'https://example.com/a', reason: '404' }],
  },
  console_errors: ['error'],
  script_error: null,
  ads: null,
  cookie_banner: null,
};

describe('the receipt of a capture', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startTestGateway();
  });
  afterEach(() => gateway.close());

  /** Requests a capture and ends it with this outcome, as a worker would. */
  async function capture(outcome: 'completed' | 'failed', query: Record<string, string> = {}) {
    const key = await gateway.register('receipt@example.com');
    const request = gateway.http.get('/api/v1/screenshot').query({ url: 'https://example.com/', ...query });
    const responding = request.set('X-API-Key', key).then((response) => response);
    const { id } = await waitUntil(() => gateway.database.prisma.capture.findFirst(), { what: 'the capture' });
    const claimed = await claimCapture(gateway.database.pool, { captureId: id, workerId: 'test' });
    await gateway.storage.put(`${id}.png`, onePixel);
    const file = { format: 'png', width: 1, height: 1, fileSize: onePixel.length, storageKey: `${id}.png` };
    const outcomes: Record<typeof outcome, CaptureOutcome> = {
      completed: { status: 'completed', ...file, expiresAt: new Date(Date.now() + 60_000) },
      failed: { status: 'failed', errorCode: 'HTTP_STATUS', errorMessage: 'The page responded with status 203.' },
    };
    const ending = { captureId: id, attempt: claimed?.attempt ?? 0, durationMs: 600, at: new Date(), receipt };
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
      'x-capture-failed-requests': '3',
      'x-capture-blocked-requests': '2',
    });
    const { body } = await gateway.as(key).get(`/api/v1/captures/${id}`).expect(200);
    expect(body.receipt).toEqual(receipt);
  });

  it('is in the response with response_type=json', async () => {
    const { response } = await capture('completed', { response_type: 'json' });
    expect(response.body.receipt).toEqual(receipt);
    expect(response.headers['x-capture-duration-ms']).toBe('600');
  });
});
