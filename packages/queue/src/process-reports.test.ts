import { waitUntil } from '@capture/testing/wait-until';
import { expect, it } from '@jest/globals';
import { type ProcessKind, type ReportingOptions, readProcesses, startReporting } from './process-reports.ts';
import { closing, openOwnRedis, openRedis, openTestRedis } from './queue.test-support.ts';

function report<Kind extends ProcessKind>(options: ReportingOptions<Kind>) {
  const stop = startReporting(options);
  closing(stop);
  return stop;
}

const browser = {
  version: 'HeadlessChrome/156.0.8078.79',
  state: 'running',
  started_at: '2026-11-20T10:00:00.000Z',
  captures: 12,
  restarts: 1,
  memory_bytes: 300_000_000,
  last_error: null,
} as const;

it('lists the processes with their details, without those that have stopped', async () => {
  const redis = await openTestRedis();
  expect(await readProcesses(redis)).toEqual([]);
  report({ redis, kind: 'webhook-dispatcher', id: 'two', detail: () => ({ slots: 256, in_flight: 3 }) });
  const stop = report({
    redis,
    kind: 'capture-worker',
    id: 'one',
    detail: () => ({ concurrency: 4, running: 2, browser }),
  });
  report({ redis, kind: 'api-gateway', detail: () => ({}) });
  await waitUntil(async () => (await readProcesses(redis)).length === 3, { what: 'all to report' });
  const processes = await readProcesses(redis);
  expect(processes.map(({ kind }) => kind)).toEqual(['api-gateway', 'capture-worker', 'webhook-dispatcher']);
  expect(processes[1]).toEqual({
    id: 'one',
    kind: 'capture-worker',
    host: expect.any(String),
    pid: process.pid,
    version: '0.1.0',
    node: process.version,
    started_at: expect.any(String),
    seen_at: expect.any(String),
    memory_bytes: expect.any(Number),
    detail: { concurrency: 4, running: 2, browser },
  });
  await stop();
  expect((await readProcesses(redis)).map(({ kind }) => kind)).toEqual(['api-gateway', 'webhook-dispatcher']);
});

it('drops processes that have not reported for 15 s', async () => {
  const redis = await openTestRedis();
  report({ redis, kind: 'api-gateway', id: 'lost', detail: () => ({}) });
  await waitUntil(async () => (await readProcesses(redis)).length === 1, { what: 'it to report' });
  const remaining = await redis.pttl('process:lost');
  expect(remaining).toBeGreaterThan(0);
  expect(remaining).toBeLessThanOrEqual(15_000);
  // Deleting the report has the same effect as its expiry.
  await redis.del('process:lost');
  expect(await readProcesses(redis)).toEqual([]);
  expect(await redis.smembers('processes')).toEqual([]);
});

it('leaves out reports that it cannot parse', async () => {
  const redis = await openTestRedis();
  await redis.sadd('processes', 'newer');
  await redis.set('process:newer', JSON.stringify({ id: 'newer', kind: 'time-machine' }));
  expect(await readProcesses(redis)).toEqual([]);
});

it('survives an outage of Redis and reports as soon as it is back', async () => {
  const server = await openOwnRedis();
  const redis = await openRedis(server.url);
  // With this interval, only the return of Redis can cause another report.
  report({ redis, kind: 'api-gateway', id: 'steady', detail: () => ({}), everyMs: 86_400_000 });
  const seenAt = async () => (await readProcesses(redis).catch(() => []))[0]?.seen_at;
  const before = await waitUntil(seenAt, { what: 'it to report' });
  server.kill();
  await waitUntil(() => redis.status !== 'ready', { what: 'the connection to be lost' });
  await expect(readProcesses(redis)).rejects.toThrow();
  await server.restart();
  await waitUntil(async () => ((await seenAt()) ?? before) > before, { what: 'it to report again' });
});
