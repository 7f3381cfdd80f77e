import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../test-gateway.ts';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.close());

it('holds up to 2,000 requests; one more gets 503 OVERLOADED and records nothing', async () => {
  const key = await gateway.register('full@example.com');
  const clients = Array.from({ length: 2_000 }, () => new AbortController());
  const waits = clients.map((client, i) =>
    gateway.captureWaiter.wait(`req_${i}`, { queueMs: 60_000, renderMs: 60_000 }, client.signal),
  );
  expect(gateway.captureWaiter.isFull).toBe(true);
  const request = gateway.as(key).get('/api/v1/screenshot').query({ url: 'https://example.com/' });
  const { body, headers } = await request.expect(503);
  expect(body.error_code).toBe('OVERLOADED');
  expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect(await gateway.database.prisma.capture.count()).toBe(0);

  for (const client of clients) client.abort();
  expect(new Set(await Promise.all(waits))).toEqual(new Set(['client gone']));
  expect(gateway.captureWaiter.size).toBe(0);
});
