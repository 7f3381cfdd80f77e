import { Gauge, type Registry } from 'prom-client';
import { readMetrics } from './read-metrics.ts';

/** Shows whether this process is connected to Redis. */
export function watchRedis(registry: Registry, redis: { readonly status: string }): void {
  new Gauge({
    name: 'capture_redis_up',
    help: 'Whether this process has a connection to Redis that takes commands.',
    registers: [registry],
    collect() {
      this.set(redis.status === 'ready' ? 1 : 0);
    },
  });
}

/** Redis' memory settings and use. */
export interface RedisFacts {
  usedMemory: number;
  maxMemory: number;
  policy: string;
  evictedKeys: number;
}

/** Shows Redis' memory, because Redis must never evict a key. The value is the same for all, so one kind of process reads it. */
export function watchRedisServer(registry: Registry, redis: { info(): Promise<string> }): void {
  readMetrics<RedisFacts>(registry, async () => factsOf(await redis.info()), [
    {
      name: 'capture_redis_memory_used_bytes',
      help: 'Memory that Redis uses.',
      show: (facts) => facts?.usedMemory,
    },
    {
      name: 'capture_redis_memory_max_bytes',
      help: 'Memory that Redis may use; 0 where it has no limit.',
      show: (facts) => facts?.maxMemory,
    },
    {
      name: 'capture_redis_noeviction',
      help: 'Whether Redis rejects commands when it is full, as it should, instead of evicting keys.',
      show: (facts) => facts && (facts.policy === 'noeviction' ? 1 : 0),
    },
    {
      name: 'capture_redis_evicted_keys_total',
      type: 'counter',
      help: 'Keys that Redis evicted for lack of memory since it started.',
      show: (facts) => facts?.evictedKeys,
    },
  ]);
}

/** @param info the output of `INFO`. */
export function factsOf(info: string): RedisFacts {
  const fields = new Map(info.split(/\r?\n/).map((line) => line.split(':', 2) as [string, string]));
  const number = (name: string) => Number(fields.get(name) ?? Number.NaN);
  return {
    usedMemory: number('used_memory'),
    maxMemory: number('maxmemory'),
    policy: fields.get('maxmemory_policy') ?? '',
    evictedKeys: number('evicted_keys'),
  };
}
