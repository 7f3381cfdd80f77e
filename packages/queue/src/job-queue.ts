import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { type JobData, type JobName, jobs } from './catalog.ts';

/** Adds jobs of one kind to their queue. */
export interface JobQueue<Name extends JobName> {
  /**
   * Adds jobs; one that already exists stays as it is.
   * @throws when Redis does not accept them; the background job for this kind of work then finds them in Postgres.
   */
  add(data: readonly JobData<Name>[]): Promise<void>;
  /** Workers that are connected to this queue. */
  workers(): Promise<number>;
  /** Jobs that wait for a worker. */
  waiting(): Promise<number>;
  close(): Promise<void>;
}

export function openJobQueue<Name extends JobName>(redis: Redis, name: Name): JobQueue<Name> {
  const kind = jobs[name];
  let opened: Promise<Queue> | undefined;

  // A BullMQ queue whose very first command fails never works, so it is created once Redis is connected.
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

/** BullMQ's own queue, for read-only use; to add jobs use `openJobQueue`. Redis must be connected. */
export async function openBullQueue(redis: Redis, name: string): Promise<Queue> {
  const queue = new Queue(name, {
    connection: redis,
    // A kept id could not be used again, and the outcome of a job is in its row.
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  });
  queue.on('error', () => {
    // The connection's state is reported by `connectRedis`; without a listener the process would end.
  });
  await queue.waitUntilReady();
  return queue;
}
