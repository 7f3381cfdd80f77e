import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway, startTestWorker, type TestGateway } from '../../test-gateway.ts';

describe('GET /api/v1/usage', () => {
  let gateway: TestGateway;
  let worker: { close(): Promise<void> };
  let key: string;
  beforeAll(async () => {
    gateway = await startTestGateway();
    key = await gateway.register('usage@example.com', 'pro');
    worker = startTestWorker(gateway, (capture) =>
      capture.url.includes('bad') ? { code: 'NAVIGATION_FAILED', message: 'no' } : 'completed',
    );
  });
  afterAll(async () => {
    await worker.close();
    await gateway.close();
  });

  const get = (query = '') => gateway.http.get(`/api/v1/usage${query}`).set('X-API-Key', key);
  const screenshot = (body: object) =>
    gateway.http
      .post('/api/v1/screenshot')
      .set('X-API-Key', key)
      .send({ response_type: 'json', ...body });

  it('200: has one row per day, oldest first, ending today', async () => {
    await screenshot({ url: 'https://example.com/' }).expect(200);
    await screenshot({ url: 'https://example.com/', cache_ttl_s: 600 }).expect(200);
    await screenshot({ url: 'https://bad.example/' }).expect(422);
    const { body } = await get().expect(200);
    expect(Object.keys(body)).toEqual(['days']);
    expect(body.days).toHaveLength(30);
    const sum = (field: string) =>
      body.days.reduce((total: number, day: Record<string, number>) => total + Number(day[field]), 0);
    expect([sum('completed'), sum('failed'), sum('cached')]).toEqual([1, 1, 1]);
    const dates: string[] = body.days.map(({ date }: { date: string }) => date);
    expect(dates).toEqual([...dates].sort());
    expect(new Set(dates).size).toBe(30);
    expect(body.days[0]).toEqual({ date: dates[0], completed: 0, failed: 0, cached: 0 });
    const { body: account } = await gateway.http.get('/api/v1/account').set('X-API-Key', key);
    expect(account.usage.used).toBe(1);
    expect((await get('?days=1').expect(200)).body.days).toHaveLength(1);
    expect((await get('?days=90').expect(200)).body.days).toHaveLength(90);
  });

  it('200: excludes other accounts', async () => {
    const other = await gateway.register('other@example.com');
    const { body } = await gateway.http.get('/api/v1/usage').set('X-API-Key', other).expect(200);
    expect(new Set(body.days.map(({ completed }: { completed: number }) => completed))).toEqual(new Set([0]));
  });

  it.each(['?days=0', '?days=91', '?days=1.5', '?days=x', '?days=', '?days=1&days=2'])('400: %s', async (query) => {
    const { body } = await get(query).expect(400);
    expect(body.details[0].field).toBe('days');
  });

  it('401: without a key', async () => {
    await gateway.http.get('/api/v1/usage').expect(401);
  });
});
