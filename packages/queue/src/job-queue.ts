import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { type JobData, type JobName, jobs } from './catalog.ts';

/** Adds jobs of one kind to their queue. */
export interface JobQueue<Name extends JobName> {
  /**
   * Adds jobs. A job that already exists does not change.
   *
   * @throws if Redis does not accept the jobs. A background job then finds their work in Postgres.
   */
  add(data: readonly JobData<Name>[]): Promise<void>;
  /** Counts the workers that are connected to this queue. */
  workers(): Promise<number>;
  /** Counts the jobs that wait for a worker. */
  waiting(): Promise<number>;
  close(): Promise<void>;
}

export function openJobQueue<Name extends JobName>(redis: Redis, name: Name): JobQueue<Name> {
  const kind = jobs[name];
  let opened: Promise<Queue> | undefined;

  // A BullMQ queue whose first command fails never works, so it is created once Redis is connected.
  async function queue(): Promise<Queue> {
    if (opened) return opened;
    if (redis.status !== 'ready') throw new Error('Redis is unavailable');
    opened = openBullQueue(redis, kind.queue);
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  }

  return {
    async add(data) {
      const bullQueue = await queue();
      await bullQueue.addBulk(data.map((job) => ({ name, data: job, opts: { jobId: kind.id(job as never) } })));
    },
    workers: async () => (await queue()).getWorkersCount(),
    waiting: async () => (await queue()).getWaitingCount(),
    close: async () => (await opened)?.close(),
  };
}

/** Opens BullMQ's queue for read-only use; use `openJobQueue` to add jobs. Redis must be connected. */
export async function openBullQueue(redis: Redis, name: string): Promise<Queue> {
  const queue = new Queue(name, {
    connection: redis,
    // BullMQ would not accept the id of a kept job again, and the row of the work has the outcome.
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  });
  queue.on('error', () => {
    // `connectRedis` reports the connection's state. Without a listener the process would end.
  });
  await queue.waitUntilReady();
  return queue;
}
