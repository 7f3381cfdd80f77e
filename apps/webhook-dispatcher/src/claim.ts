import type { ContractForm } from '@capture/contract/forms';
import { claimDeliveries, dropLostAttempts, returnClaims } from '@capture/database/claim-deliveries';
import type { Queryable } from '@capture/database/database';
import type { JobQueue } from '@capture/queue/job-queue';
import type { Logger } from '@capture/runtime/log';

export interface ClaimDependencies {
  form: ContractForm;
  database: { pool: Queryable };
  deliveryQueue: JobQueue<'delivery'>;
  log: Logger;
}

/**
 * Claims what is due and puts it into the queue, until nothing more is due or enough waits there. Deliveries are claimed
 * only as they can be sent, so that no claim ends while it waits.
 *
 * @param enough how many may wait in the queue.
 * @returns how many were put there.
 */
export async function claimDue(
  { form, database, deliveryQueue, log }: ClaimDependencies,
  enough: number,
  now: () => Date = () => new Date(),
): Promise<number> {
  let claimed = 0;
  for (;;) {
    // Throws while Redis is away: then nothing is claimed that could not be carried on.
    const room = enough - (await deliveryQueue.waiting());
    if (room <= 0) return claimed;
    const at = now();
    const dropped = await dropLostAttempts(database.pool, form, at);
    if (dropped.length > 0) log.warn({ deliveries: dropped }, 'attempts whose dispatcher was lost are given up');
    const claims = await claimDeliveries(database.pool, form, { at, limit: room });
    if (claims.length === 0) return claimed;
    try {
      await deliveryQueue.add(claims.map((claim) => ({ deliveryId: claim.id, attempt: claim.attempt })));
    } catch (error) {
      await returnClaims(database.pool, claims, at);
      throw error;
    }
    claimed += claims.length;
    if (claims.length < room) return claimed;
  }
}
