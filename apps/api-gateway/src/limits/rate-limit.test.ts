import { forms } from '@capture/contract/forms/forms';
import { connectRedis, whenReady } from '@capture/queue/connect-redis';
import { createTestRedis, startOwnRedis, type TestRedis } from '@capture/testing/redis';
import { waitUntil } from '@capture/testing/wait-until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Redis } from 'ioredis';
import { createLocalRateLimiter, createRedisRateLimiter, type RateLimiter, withFallback } from './rate-limit.ts';

/** The bucket has five tokens; the next token comes after more than an hour, longer than any test. */
const slow = { monthlyLimit: 1_000, perSecond: 1 / 4_000, burst: 5, fileRetentionDays: 7, concurrency: 1 };

let testRedis: TestRedis;
let redis: Redis;
beforeAll(async () => {
  testRedis = await createTestRedis();
  redis = connectRedis({ url: testRedis.url });
  await whenReady(redis, 30_000);
});
afterAll(async () => {
  redis.disconnect();
  await testRedis.close();
});

describe.each<[string, () => RateLimiter]>([
  ['in Redis', () => createRedisRateLimiter(redis)],
  ['in the process', () => createLocalRateLimiter()],
])('a token bucket %s', (where, open) => {
  const account = (name: string) => `${where} ${name}`;

  it('grants its tokens, then returns the time to wait', async () => {
    const limiter = open();
    const decisions = await Promise.all(Array.from({ length: 20 }, () => limiter.take(account('burst'), slow, 1)));
    expect(decisions.filter((decision) => decision.allowed)).toHaveLength(5);
    const refused = await limiter.take(account('burst'), slow, 1);
    expect(refused.allowed).toBe(false);
    expect(refused.waitMs).toBeGreaterThan(3_600_000);
    expect(refused.waitMs).toBeLessThanOrEqual(4_000_000);
  });

  it('grants another token after the returned time', async () => {
    const limiter = open();
    const quick = { ...slow, perSecond: 20, burst: 0 };
    const empty = async () => {
      const decisions = await Promise.all(Array.from({ length: 40 }, () => limiter.take(account('refill'), quick, 1)));
      return decisions.find((decision) => !decision.allowed);
    };
    const refused = await waitUntil(empty, { what: 'the bucket to be empty' });
    const heard = performance.now();
    await waitUntil(() => performance.now() - heard >= refused.waitMs, { what: 'the returned time to pass' });
    expect((await limiter.take(account('refill'), quick, 1)).allowed).toBe(true);
  });

  it('takes no token for a check', async () => {
    const limiter = open();
    for (let i = 0; i < 10; i++)
      expect(await limiter.take(account('look'), slow, 0)).toEqual({ allowed: true, waitMs: 0 });
  });

  it('never limits an unlimited plan', async () => {
    const limiter = open();
    const { enterprise } = forms.A.plans;
    for (let i = 0; i < 50; i++) expect((await limiter.take(account('free'), enterprise!, 1)).allowed).toBe(true);
  });

  it('separates the tokens of accounts', async () => {
    const limiter = open();
    for (let i = 0; i < 5; i++) await limiter.take(account('greedy'), slow, 1);
    expect((await limiter.take(account('greedy'), slow, 1)).allowed).toBe(false);
    expect((await limiter.take(account('modest'), slow, 1)).allowed).toBe(true);
  });
});

it('two gateways share a bucket in Redis', async () => {
  const other = connectRedis({ url: testRedis.url });
  await whenReady(other, 30_000);
  const gateways = [createRedisRateLimiter(redis), createRedisRateLimiter(other)];
  const decisions = await Promise.all(Array.from({ length: 20 }, (_, i) => gateways[i % 2]!.take('shared', slow, 1)));
  expect(decisions.filter((decision) => decision.allowed)).toHaveLength(5);
  other.disconnect();
});

it('a bucket in Redis expires once it is full again', async () => {
  await createRedisRateLimiter(redis).take('idle', { ...slow, perSecond: 1, burst: 4 }, 1);
  const leftMs = await redis.pttl('rate:idle');
  // -1 would mean that the key never expires; -2 means that it has expired.
  expect(leftMs).not.toBe(-1);
  expect(leftMs).toBeLessThanOrEqual(2_000);
});

it('falls back to memory while Redis is unavailable, and returns to Redis', async () => {
  const own = await startOwnRedis();
  const client = connectRedis({ url: own.url });
  await whenReady(client, 30_000);
  const limiter = withFallback(createRedisRateLimiter(client), createLocalRateLimiter());
  await own.stop();
  const decisions = await Promise.all(Array.from({ length: 20 }, () => limiter.take('outage', slow, 1)));
  expect(decisions.filter((decision) => decision.allowed)).toHaveLength(5);
  await own.restart();
  await waitUntil(() => client.status === 'ready', { what: 'Redis to be back' });
  // The bucket in the process is empty for an hour.
  await waitUntil(async () => (await limiter.take('outage', slow, 1)).allowed, { what: 'the bucket in Redis' });
  client.disconnect();
  await own.stop();
});

it('lets one request at a time wait for a Redis that is silent, the others use memory at once', async () => {
  const own = await startOwnRedis();
  const client = connectRedis({ url: own.url });
  await whenReady(client, 30_000);
  const inRedis = createRedisRateLimiter(client);
  let asked = 0;
  let now = 0;
  const counted: RateLimiter = {
    take(...request) {
      asked += 1;
      return inRedis.take(...request);
    },
  };
  const limiter = withFallback(counted, createLocalRateLimiter(), () => now);
  const take = () => limiter.take('silent', slow, 0);
  const other = connectRedis({ url: own.url });
  await whenReady(other, 30_000);
  await other.call('CLIENT', 'PAUSE', '600000', 'ALL');
  await take();
  expect(asked).toBe(1);
  await Promise.all(Array.from({ length: 20 }, take));
  expect(asked).toBe(1);
  now += 1_000;
  await limiter.take('silent', forms.A.plans.enterprise!, 1);
  const requests = Array.from({ length: 20 }, take);
  expect(asked).toBe(2);
  await Promise.all(requests);
  await take();
  expect(asked).toBe(2);
  client.disconnect();
  other.disconnect();
  await own.stop();
});
