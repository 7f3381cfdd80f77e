import type { ContractForm } from '@capture/contract/forms';
import { claimDeliveries, deliveriesOutlook, type Outlook } from '@capture/database/claim-deliveries';
import type { Database } from '@capture/database/database';
import { dropLostAttempts } from '@capture/database/drop-lost-attempts';
import { returnClaims } from '@capture/database/return-claims';
import type { JobQueue } from '@capture/queue/job-queue';
import type { Logger } from '@capture/runtime/log';
import { placeRules } from './share-places.ts';

export interface ClaimDependencies {
  form: ContractForm;
  database: Pick<Database, 'pool'>;
  deliveryQueue: JobQueue<'delivery'>;
  log: Logger;
  now: () => Date;
}

/**
 * Claims what is due and puts it into the queue, until nothing more is due or no place is free. Deliveries are claimed
 * only as they can be sent, so that no claim ends while it waits.
 *
 * @returns what is left.
 */
export async function claimDue({ form, database, deliveryQueue, log, now }: ClaimDependencies): Promise<Outlook> {
  for (;;) {
    // Throws while Redis is away: then nothing is claimed that could not be carried on.
    await deliveryQueue.waiting();
    const at = now();
    const dropped = await dropLostAttempts(database.pool, form, at);
    if (dropped.length > 0) log.warn({ deliveries: dropped }, 'attempts whose dispatcher was lost are given up');
    const claims = await claimDeliveries(database.pool, form, placeRules, at);
    if (claims.length === 0) return deliveriesOutlook(database.pool, at);
    try {
      await deliveryQueue.add(claims.map((claim) => ({ deliveryId: claim.id, attempt: claim.attempt })));
    } catch (error) {
      await returnClaims(database.pool, claims, at);
      throw error;
    }
  }
}
