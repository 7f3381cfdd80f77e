import type { ContractForm } from '@capture/contract/forms/forms';
import { type SchedulingRules, scheduleCaptures } from '@capture/database/captures/schedule-captures';
import type pg from 'pg';
import type { JobQueue } from './job-queue.ts';

/**
 * Adds the captures whose turn it is to the queue. Call it when a capture came in or ended, and now and then: what one call
 * misses, because the process died or Redis is unavailable, a later call of any process enqueues.
 *
 * @returns how many were added.
 * @throws when Postgres or Redis is unavailable.
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
