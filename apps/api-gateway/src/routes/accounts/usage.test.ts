import { describe, expect, it } from '@jest/globals';
import { failIfBad, startSharedGateway, startTestWorker } from '../../test-gateway.ts';

const gateway = await startSharedGateway();
const key = await gateway.register('usage@example.com', 'pro');
startTestWorker(gateway, failIfBad);

describe('GET /api/v1/usage', () => {
  const get = (query = '') => gateway.as(key).get(`/api/v1/usage${query}`);
  const screenshot = (body: object) =>
    gateway
      .as(key)
      .post('/api/v1/screenshot')
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
    const { body: account } = await gateway.as(key).get('/api/v1/account');
    expect(account.usage.used).toBe(1);
    expect((await get('?days=1').expect(200)).body.days).toHaveLength(1);
    expect((await get('?days=90').expect(200)).body.days).toHaveLength(90);
  });

  it('200: excludes other accounts', async () => {
    const other = await gateway.register('other@example.com');
    const { body } = await gateway.as(other).get('/api/v1/usage').expect(200);
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
