import type { EventContext } from '@capture/database/captures/end-capture';
import { findCapture } from '@capture/database/captures/find-capture';
import { type RecoveredCaptures, recoverCaptures, requeueCaptures } from '@capture/database/captures/recover-captures';
import { fairRules } from '@capture/database/captures/schedule-captures';
import { cleanupJobs } from '@capture/database/cleanup/cleanup-jobs';
import type { Database } from '@capture/database/database';
import { enqueueScheduledCaptures } from '@capture/queue/enqueue-captures';
import type { JobQueue } from '@capture/queue/job-queue';
import { sendSignal } from '@capture/queue/signals';
import { coalesce } from '@capture/runtime/coalesce';
import { every } from '@capture/runtime/service/every';
import type { Logger } from '@capture/runtime/service/log';
import type { Storage } from '@capture/storage/storage';
import { removeHtml } from './read-html.ts';

/** The gateway schedules when it receives a capture, a worker when a capture ends. This interval catches missed captures. */
const scheduleEveryMs = 1_000;

interface BackgroundJobsDependencies extends EventContext {
  database: Pick<Database, 'pool'>;
  redis: Parameters<typeof sendSignal>[0];
  captureQueue: JobQueue<'capture'>;
  storage: Pick<Storage, 'remove'>;
  onRecovered?: (recovered: RecoveredCaptures) => void;
  log: Logger;
}

export interface BackgroundJobs {
  /** Queues the captures whose turn it is. Call this when a capture has ended. */
  schedule(): void;
  /** Requeues the captures that Redis may have lost. Call this when Redis is back after an outage. */
  redisReturned(): void;
  stop(): Promise<void>;
}

/**
 * Schedules captures round robin and recovers those of lost workers. Every worker runs these jobs: scheduling rounds of
 * several workers take turns, and only one worker at a time runs the recovery.
 */
export function startBackgroundJobs(dependencies: BackgroundJobsDependencies): BackgroundJobs {
  const { database, form, captureQueue, log } = dependencies;
  const rules = fairRules();
  const schedule = coalesce(() => enqueueScheduledCaptures(database.pool, form, captureQueue, rules));
  const stopScheduling = every(scheduleEveryMs, 'scheduling captures', log, schedule);
  const stopRecovering = every(cleanupJobs['lost captures'].everyMs, 'recovering lost captures', log, async () => {
    const queued = await recoverLost(dependencies);
    if (queued > 0) await schedule();
  });
  const requeue = coalesce(async () => {
    await requeueCaptures(database.pool);
    await schedule();
  });
  const warn = (error: unknown) => log.warn({ err: error }, 'captures could not be scheduled; will retry');
  return {
    redisReturned: () => void requeue().catch(warn),
    schedule: () => void schedule().catch(warn),
    async stop() {
      await Promise.all([stopScheduling(), stopRecovering()]);
    },
  };
}

/** @returns the number of captures that are queued again. */
async function recoverLost(dependencies: BackgroundJobsDependencies): Promise<number> {
  const { database, redis, onRecovered, log } = dependencies;
  const recovered = await recoverCaptures(database.pool, dependencies);
  if (!recovered) return 0;
  onRecovered?.(recovered);
  if (recovered.waiting > 0 || recovered.failed.length > 0) log.warn(recovered, 'lost captures were recovered');
  for (const captureId of recovered.failed) await sendSignal(redis, 'captureEnded', captureId);
  if (recovered.failed.length > 0) await sendSignal(redis, 'deliveriesDue');
  for (const captureId of recovered.failed) {
    const capture = await findCapture(database.pool, captureId);
    if (capture) await removeHtml(dependencies, capture);
  }
  return recovered.waiting;
}
