import { describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { createTestRedis, startOwnRedis } from './redis.ts';

describe('a test Redis', () => {
  it('is empty and isolated', async () => {
    const [first, second] = await Promise.all([createTestRedis(), createTestRedis()]);
    const [one, two] = [new Redis(first.url), new Redis(second.url)];
    await one.set('key', 'value');
    expect(await two.dbsize()).toBe(0);
    await first.close();
    expect(await one.dbsize()).toBe(0);
    one.disconnect();
    two.disconnect();
    await second.close();
  });
});

it('restarts an own Redis with its data at the same address after a kill', async () => {
  const own = await startOwnRedis();
  const client = new Redis(own.url, { retryStrategy: () => 20 });
  client.on('error', () => {});
  await client.set('key', 'value');
  own.kill();
  await own.exited;
  await own.restart();
  expect(await client.get('key')).toBe('value');
  client.disconnect();
  await own.stop();
});
