import { waitUntil } from '@capture/testing/wait-until';
import { describe, expect, it } from '@jest/globals';
import { connectRedis, whenReady } from './connect-redis.ts';
import { openJobQueue } from './job-queue.ts';
import { startJobWorker } from './job-worker.ts';
import {
  closing,
  disconnecting,
  killRedis,
  openBlockingRedis,
  openOwnRedis,
  openQueue,
  openRedis,
  openTestRedis,
} from './queue.test-support.ts';

describe('a queue', () => {
  it('adds a job once, however often it is added, and another attempt as another job', async () => {
    const queue = openQueue(await openTestRedis(), 'capture');
    const job = { captureId: 'req_1', attempt: 0 };
    await queue.add([job, job]);
    await queue.add([job]);
    expect(await queue.waiting()).toBe(1);
    await queue.add([{ captureId: 'req_1', attempt: 1 }]);
    await queue.add([{ captureId: 'req_2', attempt: 0 }]);
    expect(await queue.waiting()).toBe(3);
  });

  it('keeps nothing of a job that has ended, so that its id can be used again', async () => {
    // Redis counts the connections of all its databases, so this test needs a server without workers of other tests.
    const own = await openOwnRedis();
    const redis = await openRedis(own.url);
    const queue = openQueue(redis, 'delivery');
    const blocking = openBlockingRedis(own.url);
    let handled = 0;
    const worker = startJobWorker('delivery', {
      redis: blocking,
      concurrency: 1,
      handle: async () => {
        handled += 1;
        if (handled === 2) throw new Error('this one fails');
      },
      onError: () => {},
    });
    closing(() => worker.close());
    for (const time of [1, 2, 3]) {
      await queue.add([{ claims: [{ deliveryId: 'dlv_1', attempt: 1 }] }]);
      await waitUntil(() => handled === time, { what: `run ${time} of the same job` });
      await waitUntil(async () => !(await redis.exists('bull:deliveries:dlv_1-1')), { what: 'the job to be gone' });
    }
    expect(await queue.workers()).toBe(1);
  });

  it('contains only ids', async () => {
    const redis = await openTestRedis();
    const queue = openQueue(redis, 'capture');
    await queue.add([{ captureId: 'req_1', attempt: 3 }]);
    const data = await redis.hget('bull:captures:req_1-3', 'data');
    expect(JSON.parse(data ?? '')).toEqual({ captureId: 'req_1', attempt: 3 });
  });

  it('is opened once by many concurrent first uses', async () => {
    const redis = await openTestRedis();
    const queue = openQueue(redis, 'capture');
    const listeners = redis.listenerCount('error');
    await Promise.all(Array.from({ length: 20 }, (_, i) => queue.add([{ captureId: `req_${i}`, attempt: 0 }])));
    expect(await queue.waiting()).toBe(20);
    expect(redis.listenerCount('error')).toBe(listeners + 1);
  });

  it('can be closed without having been used', async () => {
    await openJobQueue(await openTestRedis(), 'capture').close();
  });
});

describe('a queue without Redis', () => {
  it('refuses at once when opened before Redis is connected, and works later', async () => {
    const own = await openOwnRedis();
    await killRedis(own);
    const redis = disconnecting(connectRedis({ url: own.url }));
    const queue = openQueue(redis, 'capture');
    await expect(queue.add([{ captureId: 'req_1', attempt: 0 }])).rejects.toThrow('Redis is unavailable');
    await own.restart();
    expect(await whenReady(redis, 30_000)).toBe(true);
    await queue.add([{ captureId: 'req_1', attempt: 0 }]);
    expect(await queue.waiting()).toBe(1);
  });

  it('refuses and closes while Redis is unavailable, and recovers afterwards', async () => {
    const own = await openOwnRedis();
    const redis = await openRedis(own.url);
    const [queue, other] = [openQueue(redis, 'capture'), openJobQueue(redis, 'delivery')];
    await queue.add([{ captureId: 'req_1', attempt: 0 }]);
    await other.waiting();
    await killRedis(own);
    await expect(queue.add([{ captureId: 'req_2', attempt: 0 }])).rejects.toThrow();
    await expect(queue.waiting()).rejects.toThrow();
    await other.close();
    await own.restart();
    expect(await whenReady(redis, 30_000)).toBe(true);
    await queue.add([{ captureId: 'req_3', attempt: 0 }]);
    // A killed Redis may lose its last second, and with it the first job.
    expect([1, 2]).toContain(await queue.waiting());
  });

  it('refuses when Redis hangs, even at the first use, and recovers afterwards', async () => {
    const own = await openOwnRedis();
    const redis = await openRedis(own.url);
    const [used, unused] = [openQueue(redis, 'capture'), openQueue(redis, 'delivery')];
    await used.waiting();
    process.kill(own.pid, 'SIGSTOP');
    const refused = await Promise.allSettled([used.add([{ captureId: 'req_1', attempt: 0 }]), unused.waiting()]);
    process.kill(own.pid, 'SIGCONT');
    const timedOut = { status: 'rejected', reason: new Error('Command timed out') };
    expect(refused).toEqual([timedOut, timedOut]);
    expect(await unused.waiting()).toBe(0);
    await used.add([{ captureId: 'req_2', attempt: 0 }]);
  });
});
