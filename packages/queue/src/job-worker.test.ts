import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@capture/testing/wait-until';
import { describe, expect, it, jest } from '@jest/globals';
import type { Redis } from 'ioredis';
import type { JobData } from './catalog.ts';
import { whenReady } from './connect-redis.ts';
import { startJobWorker } from './job-worker.ts';
import {
  closing,
  killRedis,
  openBlockingRedis,
  openOwnRedis,
  openQueue,
  openRedis,
  testRedisUrl,
} from './queue.test-support.ts';

async function openCaptures(url: string) {
  const redis = await openRedis(url);
  const queue = openQueue(redis, 'capture');
  const errors = jest.fn<(error: Error, data: unknown) => void>();
  return {
    redis,
    queue,
    errors,
    add: (...ids: string[]) => queue.add(ids.map((captureId) => ({ captureId, attempt: 0 }))),
    start(handle: (data: JobData<'capture'>) => Promise<void>, concurrency = 1) {
      const blocking = openBlockingRedis(url);
      const worker = startJobWorker('capture', { redis: blocking, concurrency, handle, onError: errors });
      closing(() => worker.close());
      return { ...worker, blocking };
    },
  };
}

/** Returns a handler whose runs the test ends. */
function manualHandler() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    end: (id: string) => ends.get(id)?.(),
    handle: ({ captureId }: JobData<'capture'>) =>
      new Promise<void>((resolve) => {
        started.push(captureId);
        ends.set(captureId, resolve);
      }),
  };
}

const jobsIn = async (redis: Redis) => (await redis.keys('bull:captures:req_*')).sort();

describe('a worker', () => {
  it('handles each job once, as many at once as its concurrency allows', async () => {
    const { add, start } = await openCaptures(await testRedisUrl());
    const handler = manualHandler();
    start(handler.handle, 2);
    await add('req_1', 'req_2', 'req_3');
    await waitUntil(() => handler.started.length === 2, { what: 'two jobs at once' });
    handler.end('req_1');
    await waitUntil(() => handler.started.length === 3, { what: 'the third job' });
    handler.end('req_2');
    handler.end('req_3');
    expect(handler.started.sort()).toEqual(['req_1', 'req_2', 'req_3']);
  });

  it('finds a job although Redis woke another worker, which is frozen', async () => {
    const { url } = await openOwnRedis();
    const { redis, add, start } = await openCaptures(url);
    const blocked = async (count: number) => (await redis.info('clients')).includes(`blocked_clients:${count}\r\n`);
    // Redis wakes the first client in line. This client ignores the job.
    const woken = openBlockingRedis(url).bzpopmin('bull:captures:marker', 0);
    await waitUntil(() => blocked(1), { what: 'the frozen worker' });
    const handled: string[] = [];
    start(async ({ captureId }) => void handled.push(captureId));
    await waitUntil(() => blocked(2), { what: 'the other worker' });
    await add('req_1');
    await woken;
    // Without our wake-up, BullMQ's worker would look for jobs after five seconds.
    await waitUntil(() => handled.length === 1, { what: 'the job', timeoutMs: 4_000 });
  });

  it('continues after a handler throws, reports the error, and leaves nothing in Redis', async () => {
    const { redis, add, start, errors } = await openCaptures(await testRedisUrl());
    const handled: string[] = [];
    start(async ({ captureId }) => {
      handled.push(captureId);
      if (captureId === 'req_1') throw new Error('oh no');
    });
    await add('req_1', 'req_2');
    await waitUntil(() => handled.length === 2, { what: 'both jobs' });
    await waitUntil(async () => (await jobsIn(redis)).length === 0, { what: 'both to be gone' });
    expect(errors.mock.calls).toEqual([[new Error('oh no'), { captureId: 'req_1', attempt: 0 }]]);
    expect(await redis.zcard('bull:captures:failed')).toBe(0);
    expect(await redis.zcard('bull:captures:completed')).toBe(0);
  });

  it('does not handle invalid job data', async () => {
    const { redis, queue, start, errors } = await openCaptures(await testRedisUrl());
    const handle = jest.fn(async () => {});
    start(handle);
    await queue.add([{ captureId: 5, attempt: 'x' } as never]);
    await waitUntil(() => errors.mock.calls.length > 0, { what: 'the error to be reported' });
    expect(handle).not.toHaveBeenCalled();
    await waitUntil(async () => (await jobsIn(redis)).length === 0, { what: 'the job to be gone' });
  });

  it('takes no more jobs once paused; another worker does', async () => {
    const { add, start } = await openCaptures(await testRedisUrl());
    const paused = manualHandler();
    const worker = start(paused.handle, 5);
    await add('req_1');
    await waitUntil(() => paused.started.length === 1, { what: 'the first job' });
    await worker.pause();
    const handled: string[] = [];
    await add('req_2', 'req_3');
    start(async ({ captureId }) => void handled.push(captureId));
    await waitUntil(() => handled.length === 2, { what: 'the other worker to take both' });
    expect(paused.started).toEqual(['req_1']);
    paused.end('req_1');
  });
});

describe('a worker that is closed', () => {
  it('waits for the jobs in progress and takes no others', async () => {
    const { redis, add, start } = await openCaptures(await testRedisUrl());
    const handler = manualHandler();
    const worker = start(handler.handle);
    await add('req_1', 'req_2');
    await waitUntil(() => handler.started.length === 1, { what: 'the first job' });
    const closed = jest.fn();
    const closing = worker.close().then(closed);
    await redis.ping();
    expect(closed).not.toHaveBeenCalled();
    handler.end('req_1');
    await closing;
    expect(handler.started).toEqual(['req_1']);
    expect(await jobsIn(redis)).toEqual(['bull:captures:req_2-0']);
  });

  it('closes while Redis is unavailable, idle or busy', async () => {
    const own = await openOwnRedis();
    const { add, start } = await openCaptures(own.url);
    const handler = manualHandler();
    const [idle, busy] = [start(handler.handle), start(handler.handle)];
    await Promise.all([idle, busy].map(({ blocking }) => whenReady(blocking, 30_000)));
    await add('req_1');
    await waitUntil(() => handler.started.length === 1, { what: 'a job in progress' });
    await killRedis(own);
    await waitUntil(() => [idle, busy].every(({ blocking }) => blocking.status !== 'ready'), {
      what: 'the outage to be noticed',
    });
    const both = Promise.all([idle.close(), busy.close()]);
    handler.end('req_1');
    await both;
  });
});

describe('after an outage of Redis', () => {
  // The outage is longer than BullMQ's `drainDelay` of 5 s, after which some BullMQ releases hang for ever (bullmq#4585).
  it('that is longer than a worker waits for a job, the worker continues', async () => {
    const own = await openOwnRedis();
    const { redis, add, start } = await openCaptures(own.url);
    const handled: string[] = [];
    start(async ({ captureId }) => void handled.push(captureId), 2);
    await add('req_1');
    await waitUntil(() => handled.length === 1, { what: 'a job before the outage' });
    await killRedis(own);
    await sleep(7_000);
    await own.restart();
    await whenReady(redis, 30_000);
    await add('req_2', 'req_3');
    await waitUntil(() => handled.length === 3, { what: 'the jobs after the outage' });
  });

  it('that lost all data, jobs that are added again are handled', async () => {
    const own = await openOwnRedis();
    const { redis, add, start } = await openCaptures(own.url);
    await add('req_1');
    await redis.flushall();
    await add('req_1');
    const handled: string[] = [];
    start(async ({ captureId }) => void handled.push(captureId));
    await waitUntil(() => handled.length === 1, { what: 'the job' });
  });
});

it('the job of a lost worker is taken by another, however often that happens', async () => {
  const own = await openOwnRedis();
  const { redis, add, start, errors } = await openCaptures(own.url);
  const lost = manualHandler();
  const first = start(lost.handle);
  await add('req_1');
  await waitUntil(() => lost.started.length === 1, { what: 'the first worker to take it' });
  // The job looks as if many workers had been lost with it. By default BullMQ fails such a job.
  await redis.hset('bull:captures:req_1-0', 'stc', 50);
  first.blocking.disconnect();
  // The lost worker cannot renew its lock. Deleting the lock saves the wait for its expiry.
  await redis.del('bull:captures:req_1-0:lock');
  const handled: string[] = [];
  start(async ({ captureId }) => void handled.push(captureId));
  await waitUntil(() => handled.length === 1, { what: 'another worker to take it' });
  expect(errors).not.toHaveBeenCalled();
  lost.end('req_1');
});
