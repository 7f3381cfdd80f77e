import { sendHeartbeat } from '@capture/database/captures/worker-heartbeat';
import { runCleanupJob } from '@capture/database/cleanup/run-cleanup-job';
import { openDatabase } from '@capture/database/open-database';
import { connectRedis, whenReady } from '@capture/queue/connect-redis';
import { watchDatabase } from '@capture/runtime/metrics/database-metrics';
import { Registry } from '@capture/runtime/metrics/metrics';
import { watchRedis, watchRedisServer } from '@capture/runtime/metrics/redis-metrics';
import { startOwnRedis } from '@capture/testing/redis';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, describe, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../test-gateway.ts';
import { watchPlatform } from './platform-metrics.ts';

let gateway: TestGateway;
const closings: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

async function open(): Promise<void> {
  gateway = await startTestGateway();
  closings.push(() => gateway.close());
}

/** Reads the current value of a series; null if it is missing. */
async function readSeries(registry: Registry, series: string): Promise<number | null> {
  const line = (await registry.metrics()).split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? null : Number(line.slice(series.length));
}

describe('platform metrics', () => {
  /** Reads a series from a gateway that has just started. */
  async function read(series: string): Promise<number | null> {
    const registry = new Registry();
    watchPlatform(registry, gateway);
    return readSeries(registry, series);
  }

  it('report queues, their accounts and their workers', async () => {
    await open();
    for (const [email, captures] of [
      ['one@example.com', 3],
      ['other@example.com', 1],
    ] as const) {
      const key = await gateway.register(email, 'business');
      for (let count = 0; count < captures; count += 1) {
        await gateway.as(key).post('/api/v1/screenshot').send({ url: 'https://example.com', async: true }).expect(202);
      }
    }
    expect(await read('capture_queue_waiting{queue="captures"}')).toBe(4);
    expect(await read('capture_queue_waiting{queue="deliveries"}')).toBe(0);
    expect(await read('capture_queue_accounts')).toBe(2);
    expect(await read('capture_queue_largest_account')).toBe(3);
    expect(await read('capture_queue_workers{queue="captures"}')).toBe(0);
    await gateway.database.pool.query(`UPDATE capture SET created_at = created_at - interval '1 hour'`);
    expect(await read('capture_queue_oldest_waiting_seconds{queue="captures"}')).toBeGreaterThanOrEqual(3_600);
    await sendHeartbeat(gateway.database.pool, { id: 'worker', pages: 2, captureIds: [] });
    expect(await read('capture_queue_workers{queue="captures"}')).toBe(1);
  });

  it('report failing endpoints', async () => {
    await open();
    const key = await gateway.register('one@example.com');
    const { body } = await gateway
      .as(key)
      .post('/api/v1/webhooks')
      .send({ url: 'https://example.com/hook', events: ['capture.completed'] })
      .expect(201);
    expect(await read('capture_webhook_endpoints{status="active"}')).toBe(1);
    expect(await read('capture_webhook_endpoint_failing_seconds')).toBe(0);
    await gateway.database.pool.query(
      `UPDATE webhook_endpoint SET failing_since = now() - interval '1 day' WHERE id = $1`,
      [body.id],
    );
    expect(await read('capture_webhook_endpoints_failing')).toBe(1);
    expect(await read('capture_webhook_endpoint_failing_seconds')).toBeGreaterThanOrEqual(86_400);
  });

  it('report the last run, result and failure of cleanup jobs', async () => {
    await open();
    const { pool } = gateway.database;
    expect(await read('capture_cleanup_job_interval_seconds{cleanup_job="sessions"}')).toBe(300);
    expect(await read('capture_cleanup_job_last_run_timestamp_seconds{cleanup_job="sessions"}')).toBeNull();
    await runCleanupJob(pool, 'sessions', async () => 7);
    expect(await read('capture_cleanup_job_last_rows{cleanup_job="sessions"}')).toBe(7);
    expect(await read('capture_cleanup_job_failing{cleanup_job="sessions"}')).toBe(0);
    const { rows } = await pool.query(`SELECT extract(epoch FROM finished_at)::float8 AS at FROM sweeper_run`);
    expect(await read('capture_cleanup_job_last_run_timestamp_seconds{cleanup_job="sessions"}')).toBeCloseTo(
      rows[0].at,
      2,
    );
    const failing = runCleanupJob(pool, 'sessions', () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(await read('capture_cleanup_job_failing{cleanup_job="sessions"}')).toBe(1);
    expect(await read('capture_cleanup_job_last_rows{cleanup_job="sessions"}')).toBeNull();
  });
});

describe('Postgres metrics of a process', () => {
  it('report availability, response time, clock offset and outages', async () => {
    await open();
    const database = openDatabase({ url: gateway.config.DATABASE_URL });
    const registry = new Registry();
    watchDatabase(registry, database.pool);
    expect(await readSeries(registry, 'capture_database_up')).toBe(1);
    expect(await readSeries(registry, 'capture_database_response_seconds')).toBeGreaterThan(0);
    // Both use the same clock; the response may be slow.
    expect(Math.abs((await readSeries(registry, 'capture_clock_offset_seconds')) ?? 999)).toBeLessThan(30);
    await database.close();
    await waitUntil(async () => (await readSeries(registry, 'capture_database_up')) === 0, {
      what: 'the outage to be reported',
    });
    expect(await readSeries(registry, 'capture_database_response_seconds')).toBeNull();
  });

  it('report the use of connections and the requests waiting for one', async () => {
    await open();
    const database = openDatabase({ url: gateway.config.DATABASE_URL, connections: 1 });
    closings.push(() => database.close());
    const registry = new Registry();
    watchDatabase(registry, database.pool);
    expect(await readSeries(registry, 'capture_database_pool_size')).toBe(1);
    await database.pool.query('SELECT 1');
    expect(await readSeries(registry, 'capture_database_pool_waiting')).toBe(0);
    const before = (await readSeries(registry, 'capture_database_connection_use_seconds_count')) ?? 0;
    expect(before).toBeGreaterThanOrEqual(1);

    const held = await database.pool.connect();
    const waiting = database.pool.query('SELECT 1');
    expect(await readSeries(registry, 'capture_database_pool_connections{state="in_use"}')).toBe(1);
    expect(await readSeries(registry, 'capture_database_pool_waiting')).toBeGreaterThanOrEqual(1);
    held.release();
    await waiting;
    await waitUntil(
      async () => ((await readSeries(registry, 'capture_database_connection_use_seconds_count')) ?? 0) >= before + 2,
      { what: 'both uses to be counted' },
    );
  });
});

describe('Redis metrics', () => {
  it('report memory, eviction policy, evictions and outages', async () => {
    const server = await startOwnRedis({ 'maxmemory-policy': 'allkeys-lru' });
    closings.push(() => server.stop());
    const redis = connectRedis({ url: server.url });
    closings.push(() => redis.disconnect());
    await whenReady(redis, 30_000);
    const read = (series: string) => {
      const registry = new Registry();
      watchRedis(registry, redis);
      watchRedisServer(registry, redis);
      return readSeries(registry, series);
    };
    expect(await read('capture_redis_up')).toBe(1);
    expect(await read('capture_redis_noeviction')).toBe(0);
    const used = await read('capture_redis_memory_used_bytes');
    expect(used).toBeGreaterThan(100_000);
    expect(await read('capture_redis_evicted_keys_total')).toBe(0);
    for (let key = 0; key < 50; key += 1) await redis.set(`key-${key}`, 'x'.repeat(10_000));
    await redis.config('SET', 'maxmemory', String((used ?? 0) + 100_000));
    await redis.set('one more', 'x'.repeat(10_000)).catch(() => undefined);
    expect(await read('capture_redis_evicted_keys_total')).toBeGreaterThan(0);
    await redis.config('SET', 'maxmemory-policy', 'noeviction');
    expect(await read('capture_redis_noeviction')).toBe(1);
    redis.disconnect();
    await waitUntil(async () => (await read('capture_redis_up')) === 0, { what: 'the outage to be reported' });
    expect(await read('capture_redis_memory_used_bytes')).toBeNull();
  });
});
