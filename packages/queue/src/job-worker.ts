import { every } from '@capture/runtime/service/every';
import { withTimeout } from '@capture/runtime/timeout';
import { type Job, WaitingError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { type JobData, type JobName, jobs } from './catalog.ts';

/** A worker that does not renew its lock for this many milliseconds loses its job. */
const lockMs = 10_000;

/** The interval for checking for jobs of lost workers, milliseconds. */
const stalledCheckMs = 5_000;

/** The interval at which a worker with a free slot looks for waiting jobs, milliseconds. */
const lookEveryMs = 500;

/**
 * BullMQ fails a job permanently after this number of stalls, which it does not count as attempts. Only the row in Postgres
 * decides how often work is tried, so the number is too high to be reached.
 */
const maxStalledCount = 1_000;

/** How long jobs in progress may continue when a worker closes, milliseconds. The design states 20 s. */
const drainMs = 20_000;

/** How long reporting the ended jobs to Redis may take, milliseconds; after that no reply will come. */
const disconnectMs = 1_000;

export interface JobWorkerOptions<Name extends JobName> {
  /** A blocking connection (`connectBlockingRedis`) that only this worker uses. */
  redis: Redis;
  /** The number of jobs handled at the same time. */
  concurrency: number;
  handle(data: JobData<Name>): Promise<void>;
  /** Called when the handler threw. The job is deleted, and the cleanup job recovers the work from its row. */
  onError(error: Error, data: JobData<Name> | undefined): void;
}

export interface JobWorker {
  /** Stops taking jobs; jobs in progress continue. */
  pause(): Promise<void>;
  /** Stops taking jobs and waits up to 20 s for jobs in progress; the caller ends the rest. Also returns if Redis is unavailable. */
  close(): Promise<void>;
}

export function startJobWorker<Name extends JobName>(name: Name, options: JobWorkerOptions<Name>): JobWorker {
  const kind = jobs[name];
  const running = new Set<Promise<void>>();
  let paused = false;

  async function run(job: Job, token: string | undefined): Promise<void> {
    // A pause of BullMQ only affects its next request: BullMQ still takes a job that arrives on the current request.
    if (paused) {
      await job.moveToWait(token);
      throw new WaitingError();
    }
    const handling = options.handle(kind.schema.parse(job.data) as JobData<Name>);
    const ended = handling.catch(() => undefined).then(() => void running.delete(ended));
    running.add(ended);
    await handling;
  }

  const worker = new Worker(kind.queue, run, {
    connection: options.redis,
    concurrency: options.concurrency,
    lockDuration: lockMs,
    stalledInterval: stalledCheckMs,
    maxStalledCount,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  });
  worker.on('failed', (job, error) => options.onError(error, job?.data));
  worker.on('error', () => {
    // `connectBlockingRedis` reports the connection's state. Without a listener the process would end.
  });

  /**
   * Redis wakes one worker for a job, but that worker may be frozen or lost. The job would then wait until BullMQ looks again
   * (its `drainDelay`, 5 s), so this loop wakes another worker. A shorter `drainDelay` costs eight commands for each look, and
   * breaks BullMQ's connection as soon as Redis or this process is late by a second.
   */
  const stopLooking = every(lookEveryMs, 'look for jobs', { warn: () => {} }, async () => {
    if (options.redis.status !== 'ready' || running.size >= options.concurrency) return;
    if ((await options.redis.llen(worker.toKey('wait'))) > 0) await options.redis.zadd(worker.toKey('marker'), 0, '0');
  });

  function pause(): Promise<void> {
    paused = true;
    // A look that waits for Redis ends with the connection.
    void stopLooking();
    return worker.pause(true);
  }

  async function close(): Promise<void> {
    await pause();
    await withTimeout(drainMs, Promise.all(running), () => undefined);
    // A graceful close of BullMQ never returns while Redis is unavailable.
    const graceful = options.redis.status === 'ready' && running.size === 0;
    await withTimeout(disconnectMs, worker.close(!graceful), () => undefined);
  }

  return { pause, close };
}
