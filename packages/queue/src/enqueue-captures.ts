import type { ContractForm } from '@capture/contract/forms/forms';
import { type SchedulingRules, scheduleCaptures } from '@capture/database/captures/schedule-captures';
import type pg from 'pg';
import type { JobQueue } from './job-queue.ts';

/**
 * Adds the scheduled captures to the queue. Must be called when a capture was created or ended, and from time to time: a later
 * call of any process enqueues the captures that this call misses because the process died or Redis is unavailable.
 *
 * @returns the number of added captures.
 * @throws if Postgres or Redis is unavailable.
 */
export async function enqueueScheduledCaptures(
  pool: pg.Pool,
  form: ContractForm,
  captureQueue: JobQueue<'capture'>,
  rules?: SchedulingRules,
): Promise<number> {
  const scheduled = await scheduleCaptures(pool, form, rules);
  if (scheduled.length > 0) {
    await captureQueue.add(scheduled.map(({ id, attempt }) => ({ captureId: id, attempt })));
  }
  return scheduled.length;
}
