import { describe, expect, it } from '@jest/globals';
import { startSharedGateway } from '../test-gateway.ts';

const gateway = await startSharedGateway('B', {
  settings: { REGISTRATIONS_PER_HOUR: 2 },
  wrongKeys: { atMost: 1, withinMs: 3_600_000 },
});

describe('metrics of refused requests', () => {
  async function count(series: string): Promise<number> {
    const { text } = await gateway.asOperator.get('/metrics').expect(200);
    const line = text.split('\n').find((each) => each.startsWith(series));
    return Number(line?.split(' ').at(-1) ?? 0);
  }

  const throttled = (reason: string, plan: string) =>
    count(`capture_throttled_total{reason="${reason}",plan="${plan}"`);

  it('count rate and quota by plan', async () => {
    const key = await gateway.register('fast@example.com');
    const ask = () => gateway.as(key).post('/api/v1/screenshot');
    let allowed = 0;
    // The bucket refills a little while it is emptied.
    for (let status = 202; status !== 429; allowed += 1) {
      ({ status } = await ask().send({ url: 'https://example.com', async: true }));
      if (allowed > 1_000) throw new Error('nothing was refused');
    }
    expect(await throttled('rate', 'free')).toBe(1);
    const other = await gateway.register('quota@example.com');
    await gateway.database.pool.query(
      `INSERT INTO usage (account_id, month, used)
       SELECT id, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM'), 1000000 FROM account WHERE email = 'quota@example.com'`,
    );
    await gateway.as(other).post('/api/v1/screenshot').send({ url: 'https://example.com', async: true }).expect(429);
    expect(await throttled('quota', 'free')).toBe(1);
  });

  it('count registrations, without a plan', async () => {
    await gateway.http.post('/api/auth/register').send({ email: 'third@example.com' }).expect(429);
    expect(await throttled('registrations', '')).toBe(1);
  });

  it('count invalid keys over the limit', async () => {
    const wrong = () => gateway.http.get('/api/v1/account').set('X-API-Key', 'not-a-key');
    await wrong().expect(401);
    await wrong().expect(429);
    expect(await throttled('keys', '')).toBe(1);
    expect(await count('capture_http_errors_total{error_code="UNAUTHORIZED"')).toBe(1);
    expect(await count('capture_http_errors_total{error_code="RATE_LIMITED"')).toBeGreaterThanOrEqual(3);
  });
});
