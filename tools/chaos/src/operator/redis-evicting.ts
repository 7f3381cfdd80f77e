import { onRedis } from '../harness/servers.ts';
import { operatorCase } from './operator-case.ts';

/** Keys of a cache that shares this Redis. */
const strangers = { count: 2_000, bytes: 2_000 };

export const operatorRedisEvicting = operatorCase({
  name: 'redis-evicting',
  fault: 'Redis may evict keys, is full of foreign keys, and evicts.',
  alert: 'CaptureRedisEvicting',
  metric: 'capture_redis_noeviction',
  leads: ['maxmemory-policy', 'evicted'],
  async stage(operator) {
    const { gateway, platform } = operator;
    const { url } = platform.servers.redis;
    await operator.sees(
      'a Redis without eviction',
      async () => (await gateway.metric('capture_redis_noeviction')) === 1,
    );
    try {
      await onRedis(url, async (redis) => {
        await redis.config('RESETSTAT');
        await redis.config('SET', 'maxmemory-policy', 'allkeys-random');
        const used = Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
        await redis.config('SET', 'maxmemory', String(used + 1_000_000));
        for (let key = 0; key < strangers.count; key += 1) await redis.set(`cache:${key}`, '.'.repeat(strangers.bytes));
      });
      await operator.sees(
        'the policy that allows it',
        async () => (await gateway.metric('capture_redis_noeviction')) === 0,
      );
      await operator.sees(
        'that it may evict jobs, in the list of processes',
        async () => (await operator.get('/processes')).redis === 'evicting',
      );
      await operator.seesOver('evicted keys', 0, () => gateway.metric('capture_redis_evicted_keys_total'));
      await operator.sees('its memory usage', async () => {
        const [used, most] = [
          await gateway.metric('capture_redis_memory_used_bytes'),
          await gateway.metric('capture_redis_memory_max_bytes'),
        ];
        return used !== undefined && most !== undefined && most > 0 && used > most / 2;
      });
    } finally {
      await onRedis(url, async (redis) => {
        await redis.config('SET', 'maxmemory', '0');
        await redis.config('SET', 'maxmemory-policy', 'noeviction');
        await redis.flushall();
      });
    }
  },
});
