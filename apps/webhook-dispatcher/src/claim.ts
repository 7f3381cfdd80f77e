import type { ContractForm } from '@capture/contract/forms/forms';
import type { Database } from '@capture/database/database';
import { databaseNow } from '@capture/database/database-clock';
import {
  type ClaimedDelivery,
  claimDeliveries,
  type DueState,
  readDueState,
} from '@capture/database/deliveries/claim-deliveries';
import type { AccountPosition } from '@capture/database/deliveries/lock-due-receivers';
import { dropLostAttempts, returnClaims } from '@capture/database/deliveries/recover-deliveries';
import { slotRules } from '@capture/database/deliveries/share-slots';
import type { JobData } from '@capture/queue/catalog';
import type { JobQueue } from '@capture/queue/job-queue';
import type { Logger } from '@capture/runtime/service/log';
import { noteTrace } from '@capture/runtime/tracing/trace';
import type { DeliveryMetrics } from './delivery-metrics.ts';

/** The claims of one job. With eight, a delivery costs 5 Redis commands instead of 39, and dispatchers still share a round. */
const claimsOfJob = 8;

export interface ClaimDependencies {
  form: ContractForm;
  database: Pick<Database, 'pool'>;
  deliveryQueue: JobQueue<'delivery'>;
  metrics: Pick<DeliveryMetrics, 'claimed'>;
  log: Logger;
  /** Returns the current time; by default the time of the database. */
  now?: () => Date;
  /** The position that all rounds of this process share. */
  position: AccountPosition;
}

/**
 * Claims due deliveries and queues them, until no delivery is due or no slot is free. Claims only deliveries that can be sent at
 * once, so that no claim expires while it waits.
 *
 * @returns the deliveries that remain to be claimed.
 */
export async function claimDue(dependencies: ClaimDependencies): Promise<DueState> {
  const { form, database, deliveryQueue, metrics, log, now, position } = dependencies;
  for (;;) {
    // This throws while Redis is unavailable, so that nothing is claimed that could not be queued.
    await deliveryQueue.waiting();
    const at = now?.() ?? null;
    const dropped = await dropLostAttempts(database.pool, form, at);
    if (dropped.length > 0) log.warn({ deliveries: dropped }, 'dropped the attempts of a lost dispatcher');
    const startedAt = performance.now();
    const { claims, dueAt, more } = await claimDeliveries(database.pool, form, at, slotRules, position);
    if (claims.length > 0) {
      await enqueue({ database, deliveryQueue }, claims, at);
      metrics.claimed(dueAt, at ?? databaseNow());
      noteTrace('claim deliveries', { startedAt, attributes: { 'messaging.batch.message_count': claims.length } });
    }
    if (!more) return readDueState(database.pool, at);
  }
}

async function enqueue(
  { database, deliveryQueue }: Pick<ClaimDependencies, 'database' | 'deliveryQueue'>,
  claims: readonly ClaimedDelivery[],
  at: Date | null,
): Promise<void> {
  try {
    await deliveryQueue.add(groupIntoJobs(claims));
  } catch (error) {
    await returnClaims(database.pool, claims, at);
    throw error;
  }
}

function groupIntoJobs(claims: readonly ClaimedDelivery[]): JobData<'delivery'>[] {
  const jobs: JobData<'delivery'>[] = [];
  for (let from = 0; from < claims.length; from += claimsOfJob) {
    const [first, ...others] = claims
      .slice(from, from + claimsOfJob)
      .map(({ id, attempt }) => ({ deliveryId: id, attempt }));
    if (first) jobs.push({ claims: [first, ...others] });
  }
  return jobs;
}
