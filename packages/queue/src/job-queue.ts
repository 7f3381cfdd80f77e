import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { type JobData, type JobName, jobs } from './catalog.ts';

/** What puts jobs of one kind into their queue. */
export interface JobQueue<Name extends JobName> {
  /**
   * Adds jobs; one that is there already is left as it is.
   * @throws when Redis does not take them; then the sweep that owns this kind of work finds them in Postgres.
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

  // A BullMQ queue whose very first command fails stays useless for ever, so it is made once Redis is there.
  async function queue(): Promise<Queue> {
    if (opened) return opened;
    if (redis.status !== 'ready') throw new Error('Redis is away');
    opened = openBullQueue(redis, kind.queue);
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  }

  return {
    async add(data) {
      const to = await queue();
      await to.addBulk(data.map((job) => ({ name, data: job, opts: { jobId: kind.id(job as never) } })));
    },
    workers: async () => (await queue()).getWorkersCount(),
    waiting: async () => (await queue()).getWaitingCount(),
    close: async () => (await opened)?.close(),
  };
}

/** BullMQ's own queue, for what only looks at it; everybody else goes through `openJobQueue`. Redis must be there. */
export async function openBullQueue(redis: Redis, name: string): Promise<Queue> {
  const queue = new Queue(name, {
    connection: redis,
    // An id that is kept could not be used again, and nobody looks for a job that has ended: its row tells.
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  });
  queue.on('error', () => {
    // The connection's state is reported by `connectRedis`; without a listener the process would end.
  });
  await queue.waitUntilReady();
  return queue;
}
