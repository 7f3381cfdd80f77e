import { withTimeout } from '@capture/runtime/timeout';
import { type Job, WaitingError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { type JobData, type JobName, jobs } from './catalog.ts';

/** A worker that gives no sign of life for that long has lost its job, milliseconds. */
const lockMs = 10_000;

/** How often jobs of lost workers are looked for, milliseconds. */
const stalledCheckMs = 5_000;

/**
 * Stalled jobs do not count as attempts in BullMQ, and past this number it would end a job for good. How often a piece
 * of work may be tried is decided by its row in Postgres alone, so this is a number that is never reached.
 */
const maxStalledCount = 1_000;

/** For jobs under way when a worker closes: the design's figure, milliseconds. */
const drainMs = 20_000;

/** For telling Redis of the jobs that have ended, milliseconds; without an answer by then there is none to come. */
const farewellMs = 1_000;

export interface JobWorkerOptions<Name extends JobName> {
  /** A blocking connection (`connectBlockingRedis`), used by this worker alone. */
  redis: Redis;
  /** Jobs at once. */
  concurrency: number;
  handle(data: JobData<Name>): Promise<void>;
  /** Told of a handler that threw; the job is gone then, its row is what recovers it. */
  onError(error: Error, data: JobData<Name> | undefined): void;
}

export interface JobWorker {
  /** Takes no further jobs; those under way go on. */
  pause(): Promise<void>;
  /**
   * Takes no further jobs and waits for those under way, 20 s at most: what goes on after that is the caller's to end. It
   * comes back without Redis too.
   */
  close(): Promise<void>;
}

export function startJobWorker<Name extends JobName>(name: Name, options: JobWorkerOptions<Name>): JobWorker {
  const kind = jobs[name];
  const running = new Set<Promise<void>>();
  let paused = false;

  async function run(job: Job, token: string | undefined): Promise<void> {
    // BullMQ pauses only what it asks for next: a job that comes in on the present call is still taken.
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

  function pause(): Promise<void> {
    paused = true;
    return worker.pause(true);
  }

  async function close(): Promise<void> {
    await pause();
    await withTimeout(drainMs, Promise.all(running), () => undefined);
    // Without Redis, BullMQ would wait for ever to say that it goes.
    const isThere = options.redis.status === 'ready' && running.size === 0;
    await withTimeout(farewellMs, worker.close(!isThere), () => undefined);
  }

  return { pause, close };
}
