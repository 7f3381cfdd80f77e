import type { EndingTerms } from '@capture/database/captures/end-capture';
import { type RecoveredCaptures, recoverCaptures, requeueCaptures } from '@capture/database/captures/recover-captures';
import { cleanupJobs } from '@capture/database/cleanup/cleanup-jobs';
import type { Database } from '@capture/database/database';
import { enqueueScheduledCaptures } from '@capture/queue/enqueue-captures';
import type { JobQueue } from '@capture/queue/job-queue';
import { sendSignal } from '@capture/queue/signals';
import { coalesce } from '@capture/runtime/coalesce';
import { every } from '@capture/runtime/every';
import type { Logger } from '@capture/runtime/log';

/** The gateway feeds the queue when something comes in and a worker when something ends; this is for what both missed. */
const feedEveryMs = 1_000;

export interface KeepMovingDependencies extends EndingTerms {
  database: Pick<Database, 'pool'>;
  redis: Parameters<typeof sendSignal>[0];
  captureQueue: JobQueue<'capture'>;
  onRecovered?: (recovered: RecoveredCaptures) => void;
  log: Logger;
}

export interface Mover {
  /** Puts into the queue whose turn it is; to be called when a capture has ended. */
  feed(): void;
  /** Redis is back after an outage: what it may have lost is put into the queue again at once. */
  redisReturned(): void;
  stop(): Promise<void>;
}

/**
 * Keeps captures moving: into the queue in fair turns, and out of the hands of workers that are gone. Every worker does
 * so; rounds of several happen one after the other, and a sweep only once at a time.
 */
export function keepMoving(dependencies: KeepMovingDependencies): Mover {
  const { database, form, captureQueue, log } = dependencies;
  const feed = coalesce(() => enqueueScheduledCaptures(database.pool, form, captureQueue));
  const stopFeeding = every(feedEveryMs, 'feeding the queue', log, feed);
  const stopRecovering = every(cleanupJobs['lost captures'].everyMs, 'recovering lost captures', log, async () => {
    const recovered = await recoverLost(dependencies);
    if (recovered > 0) await feed();
  });
  const requeue = coalesce(async () => {
    await requeueCaptures(database.pool);
    await feed();
  });
  const told = (error: unknown) => log.warn({ err: error }, 'the queue could not be fed; it is tried again');
  return {
    redisReturned: () => void requeue().catch(told),
    feed: () => void feed().catch(told),
    async stop() {
      await Promise.all([stopFeeding(), stopRecovering()]);
    },
  };
}

/** Returns how many captures wait for their turn again. */
async function recoverLost({ log, redis, onRecovered, ...dependencies }: KeepMovingDependencies): Promise<number> {
  const recovered = await recoverCaptures(dependencies.database.pool, dependencies, new Date());
  if (!recovered) return 0;
  onRecovered?.(recovered);
  if (recovered.waiting > 0 || recovered.failed.length > 0) log.warn(recovered, 'lost captures were recovered');
  for (const captureId of recovered.failed) await sendSignal(redis, 'captureEnded', captureId);
  if (recovered.failed.length > 0) await sendSignal(redis, 'deliveriesDue');
  return recovered.waiting;
}
