import { ConfigError } from '@capture/runtime/config';
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

describe('requireForm', () => {
  async function open() {
    const testDatabase = await createTestDatabase();
    const testRedis = await createTestRedis();
    const log = createLogger('test', { level: 'silent' });
    const lifecycle = new Lifecycle(log);
    lifecycle.closing('test database', () => testDatabase.drop());
    lifecycle.closing('test redis', () => testRedis.close());
    const connect = (url = testDatabase.url) =>
      openConnections(
        { DATABASE_URL: url, REDIS_URL: testRedis.url },
        { log, lifecycle },
        { metrics: createMetrics('test') },
      );
    return { connect, close: () => lifecycle.close() };
  }

  it('accepts a database of the same form, and a database without a form', async () => {
    const { connect, close } = await open();
    const { database, requireForm } = connect();
    await requireForm('A');
    await database.pool.query(`INSERT INTO deployment (id, contract_form) VALUES (1, 'A')`);
    await requireForm('A');
    await close();
  });

  it('refuses a database of the other form in one sentence', async () => {
    const { connect, close } = await open();
    const { database, requireForm } = connect();
    await database.pool.query(`INSERT INTO deployment (id, contract_form) VALUES (1, 'A')`);
    await expect(requireForm('B')).rejects.toThrow(
      new ConfigError('The data in this database was created with API profile A; CONTRACT_FORM is B.'),
    );
    await close();
  });

  it('lets a service start while the database is unavailable', async () => {
    const { connect, close } = await open();
    await connect('postgres://127.0.0.1:1/none').requireForm('B');
    await close();
  });
});
