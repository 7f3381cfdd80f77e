import type { ClaimedCapture } from '@capture/database/captures/claim-capture';
import { releaseCapture } from '@capture/database/captures/release-capture';
import type { Database } from '@capture/database/database';
import type { Logger } from '@capture/runtime/log';
import type { RunningCaptures } from './running-captures.ts';

/**
 * Finishes the captures that run, and gives back to the queue what is not finished within `drainMs` milliseconds: no
 * worker counts as lost for that, and what its pages still come to is refused.
 */
export async function finishOrGiveBack(
  { running, database, log }: { running: RunningCaptures; database: Pick<Database, 'pool'>; log: Pick<Logger, 'info'> },
  drainMs: number,
): Promise<void> {
  await running.noneLeft(drainMs);
  const giveBack = async (capture: ClaimedCapture) => {
    const released = await releaseCapture(database.pool, capture);
    log.info({ request_id: capture.id, attempt: capture.attempt, released }, 'not finished in time; queued again');
  };
  await Promise.allSettled(running.all.map(giveBack));
}
