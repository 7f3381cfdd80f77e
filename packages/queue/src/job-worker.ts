import { every } from '@capture/runtime/service/every';
import { withTimeout } from '@capture/runtime/timeout';
import { type Job, WaitingError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { type JobData, type JobName, jobs } from './catalog.ts';

/** A worker that does not renew its lock for this long loses its job, milliseconds. */
const lockMs = 10_000;

/** How often to look for jobs of lost workers, milliseconds. */
const stalledCheckMs = 5_000;

/** How often a worker with a free slot looks for jobs that wait, milliseconds. */
const lookEveryMs = 500;

/**
 * Stalled jobs do not count as attempts in BullMQ, which fails a job for good after this number of stalls. Only the row in
 * Postgres decides how often work is tried, so this number is never reached.
 */
const maxStalledCount = 1_000;

/** How long jobs in progress may continue when a worker closes: the design's figure, milliseconds. */
const drainMs = 20_000;

/** How long reporting the ended jobs to Redis may take, milliseconds; after that no reply will come. */
const disconnectMs = 1_000;

export interface JobWorkerOptions<Name extends JobName> {
  /** A blocking connection (`connectBlockingRedis`) used only by this worker. */
  redis: Redis;
  /** Jobs handled at the same time. */
  concurrency: number;
  handle(data: JobData<Name>): Promise<void>;
  /** Called when the handler threw. The job is gone; the work is recovered from its row. */
  onError(error: Error, data: JobData<Name> | undefined): void;
}

export interface JobWorker {
  /** Takes no more jobs; those in progress continue. */
  pause(): Promise<void>;
  /**
   * Takes no more jobs and waits for those in progress, 20 s at most; the caller ends the rest. Returns without Redis too.
   */
  close(): Promise<void>;
}

export function startJobWorker<Name extends JobName>(name: Name, options: JobWorkerOptions<Name>): JobWorker {
  const kind = jobs[name];
  const running = new Set<Promise<void>>();
  let paused = false;

  async function run(job: Job, token: string | undefined): Promise<void> {
    // A pause of BullMQ starts with its next request: a job that arrives on the current one is still taken.
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
    // The connection's own state is reported by `connectBlockingRedis`; without a listener the process would end.
  });

  /**
   * Redis wakes one worker for a job, and that one may be frozen or lost. Until BullMQ looks again (its `drainDelay`, 5 s) the job
   * would wait, so this wakes another. A shorter `drainDelay` costs eight commands for each look, and breaks off BullMQ's
   * connection as soon as Redis or this process is late by a second.
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
    // Without Redis, a graceful close of BullMQ never returns.
    const graceful = options.redis.status === 'ready' && running.size === 0;
    await withTimeout(disconnectMs, worker.close(!graceful), () => undefined);
  }

  return { pause, close };
}
