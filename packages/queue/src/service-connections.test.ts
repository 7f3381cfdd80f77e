import { Lifecycle } from '@capture/runtime/lifecycle';
import { createMetrics } from '@capture/runtime/metrics/metrics';
import { createLogger } from '@capture/runtime/service/log';
import { createTestDatabase } from '@capture/testing/database';
import { createTestRedis } from '@capture/testing/redis';
import { waitUntil } from '@capture/testing/wait-until';
import { describe, expect, it } from '@jest/globals';
import { openConnections } from './service-connections.ts';

describe("a service's connections", () => {
  it('are measured, usable and closed with the lifecycle', async () => {
    const testDatabase = await createTestDatabase();
    const testRedis = await createTestRedis();
    const lines: string[] = [];
    const log = createLogger('test', { destination: { write: (line: string) => void lines.push(line) } });
    const lifecycle = new Lifecycle(log);
    const metrics = createMetrics('test');
    let connected = 0;
    const { database, redis, openBlockingRedis, openQueue } = openConnections(
      { DATABASE_URL: testDatabase.url, REDIS_URL: testRedis.url },
      { log, lifecycle },
      { metrics, databaseConnections: 3, onRedisConnected: () => (connected += 1) },
    );
    const blocking = openBlockingRedis('signals');
    const queue = openQueue('capture');
    try {
      await waitUntil(() => connected === 1, { what: 'Redis to connect' });
      expect(await queue.waiting()).toBe(0);
      expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
      const exposition = await metrics.metrics();
      expect(exposition).toMatch(/^capture_database_up{.*} 1$/m);
      expect(exposition).toMatch(/^capture_database_pool_size{.*} 3$/m);
      expect(exposition).toMatch(/^capture_redis_up{.*} 1$/m);
    } finally {
      await lifecycle.close();
      await testRedis.close();
      await testDatabase.drop();
    }
    expect([redis.status, blocking.status]).toEqual(['end', 'end']);
    expect(database.pool.ended).toBe(true);
    expect(lines.join('')).toContain('redis: connected');
    expect(lines.join('')).not.toContain('closing failed');
  });
});
