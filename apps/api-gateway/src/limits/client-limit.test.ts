import { connectRedis, whenReady } from '@capture/queue/connect-redis';
import { createTestRedis } from '@capture/testing/redis';
import { expect, it } from '@jest/globals';
import { type ClientLimit, createClientLimit, perHour } from './client-limit.ts';

async function takeAll(limit: ClientLimit, address: string, times: number): Promise<boolean[]> {
  const allowed: boolean[] = [];
  for (let i = 0; i < times; i++) allowed.push((await limit.take(address)) === 0);
  return allowed;
}

it.each(['available', 'unavailable'])('counts each name and address separately with Redis %s', async (state) => {
  const server = await createTestRedis();
  const redis = connectRedis({ url: server.url });
  await whenReady(redis, 30_000);
  if (state === 'unavailable') redis.disconnect();
  const [limit, other] = [createClientLimit(redis, 'one', perHour(2)), createClientLimit(redis, 'two', perHour(1))];
  expect(await takeAll(limit, '192.0.2.1', 4)).toEqual([true, true, false, false]);
  expect(await takeAll(limit, '192.0.2.2', 1)).toEqual([true]);
  expect(await takeAll(other, '192.0.2.1', 2)).toEqual([true, false]);
  // An IPv4-mapped IPv6 address counts as the IPv4 address; an IPv6 subscriber has a /64.
  expect(await takeAll(limit, '::ffff:192.0.2.1', 1)).toEqual([false]);
  expect(await takeAll(limit, '2001:db8:1:2::1', 1)).toEqual([true]);
  expect(await takeAll(limit, '2001:db8:1:2:ffff::1', 2)).toEqual([true, false]);
  expect(await takeAll(limit, '2001:db8:1:3::1', 1)).toEqual([true]);
  redis.disconnect();
  await server.close();
});

it('keeps at most 10,000 addresses in memory and drops the oldest', async () => {
  const server = await createTestRedis();
  const redis = connectRedis({ url: server.url });
  redis.disconnect();
  const limit = createClientLimit(redis, 'one', perHour(1));
  const address = (i: number) => `10.0.${i >> 8}.${i & 255}`;
  for (let i = 0; i < 10_001; i++) await limit.take(address(i));
  expect(await takeAll(limit, address(0), 1)).toEqual([true]);
  expect(await takeAll(limit, address(10_000), 1)).toEqual([false]);
  await server.close();
});

it('does not ask Redis about a refused address until its wait is over', async () => {
  const server = await createTestRedis();
  const redis = connectRedis({ url: server.url });
  await whenReady(redis, 30_000);
  let passedMs = 0;
  const limit = createClientLimit(redis, 'one', { atMost: 1, withinMs: 60_000 }, () => Date.now() + passedMs);
  expect(await takeAll(limit, '192.0.2.1', 2)).toEqual([true, false]);
  await redis.del('one:192.0.2.1');
  expect(await takeAll(limit, '192.0.2.1', 1)).toEqual([false]);
  passedMs = 60_001;
  expect(await takeAll(limit, '192.0.2.1', 1)).toEqual([true]);
  redis.disconnect();
  await server.close();
});
