import type { ContractForm } from '@capture/contract/forms/forms';
import { chooseCaptures, windowOf } from '@capture/database/captures/choose-captures';
import { markEnqueued } from '@capture/database/captures/schedule-captures';
import type pg from 'pg';
import type { JobQueue } from './job-queue.ts';

/**
 * Puts the captures whose turn it is into the queue. To be called when one came in or ended, and now and then: what one
 * call leaves out, because the process died or Redis is away, a later one of any process takes up.
 *
 * @returns how many were put there.
 * @throws when Postgres or Redis is away.
 */
export async function feedCaptures(
  pool: pg.Pool,
  form: ContractForm,
  captureQueue: JobQueue<'capture'>,
): Promise<number> {
  const next = await markEnqueued(pool, form, { window: windowOf, choose: chooseCaptures });
  if (next.length > 0) await captureQueue.add(next.map(({ id, attempt }) => ({ captureId: id, attempt })));
  return next.length;
}
