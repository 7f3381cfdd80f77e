import { connectRedis, whenReady } from '@capture/queue/connect-redis';
import { createTestRedis } from '@capture/testing/redis';
import { expect, it } from '@jest/globals';
import { type ClientLimit, createClientLimit } from './client-limit.ts';

async function takeAll(limit: ClientLimit, address: string, times: number): Promise<boolean[]> {
  const allowed: boolean[] = [];
  for (let i = 0; i < times; i++) allowed.push((await limit.take(address)) === 0);
  return allowed;
}

it.each(['there', 'away'])(
  'counts each name and address by itself, what is given back not at all: Redis %s',
  async (state) => {
    const server = await createTestRedis();
    const redis = connectRedis({ url: server.url });
    await whenReady(redis, 30_000);
    if (state === 'away') redis.disconnect();
    const [limit, other] = [createClientLimit(redis, 'one', 2), createClientLimit(redis, 'two', 1)];
    expect(await takeAll(limit, '192.0.2.1', 3)).toEqual([true, true, false]);
    await limit.giveBack('192.0.2.1');
    expect(await takeAll(limit, '192.0.2.1', 2)).toEqual([true, false]);
    expect(await takeAll(limit, '192.0.2.2', 1)).toEqual([true]);
    expect(await takeAll(other, '192.0.2.1', 2)).toEqual([true, false]);
    // Nothing was taken: there is nothing to give back.
    await limit.giveBack('192.0.2.9');
    expect(await takeAll(limit, '192.0.2.9', 3)).toEqual([true, true, false]);
    redis.disconnect();
    await server.close();
  },
);
