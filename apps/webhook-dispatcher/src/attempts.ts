import type { ContractForm } from '@capture/contract/forms/forms';
import type { Database } from '@capture/database/database';
import { beginAttempt, beginAttempts, type DeliveryAttempt } from '@capture/database/deliveries/begin-attempt';
import type { ClaimedDelivery } from '@capture/database/deliveries/claim-deliveries';
import type { AttemptOutcome, RecordedAttempt } from '@capture/database/deliveries/next-state';
import { releaseSlot } from '@capture/database/deliveries/receivers';
import { recordAttempt } from '@capture/database/deliveries/record-attempt';
import { type EndedAttempt, recordOutcomes } from '@capture/database/deliveries/record-outcomes';
import { inBatches } from '@capture/runtime/in-batches';
import type { Logger } from '@capture/runtime/service/log';

/** The most deliveries of one statement. It takes some milliseconds, and the other deliveries wait no longer than that. */
const batchSize = 64;

/** Records the beginnings and outcomes of attempts. */
export interface Attempts {
  begin(claim: ClaimedDelivery): Promise<DeliveryAttempt | null>;
  record(delivery: DeliveryAttempt, outcome: AttemptOutcome): Promise<RecordedAttempt | null>;
}

interface AttemptsDependencies {
  form: ContractForm;
  database: Pick<Database, 'pool'>;
  dispatcherId: string;
  log: Logger;
  /** Returns the current time; by default the time of the database. */
  now?: () => Date;
}

/**
 * Batches the writes of many deliveries: deliveries that begin or end while a statement is in progress share the next statement
 * and its commit (a write to disk). A shared statement skips a delivery whose row is locked, whose claim was lost or whose
 * endpoint has changed. Such a delivery, and every delivery of a failed statement, is written and waits separately.
 */
export function createAttempts({ form, database: { pool }, dispatcherId, log, now }: AttemptsDependencies): Attempts {
  const beginTogether = inBatches(batchSize, async (claims: readonly ClaimedDelivery[]) => {
    const started = await written(claims, () => beginAttempts(pool, form, claims, { dispatcherId, at: now?.() }));
    // The queue may deliver a claim twice; only the first delivery of the claim gets the attempt.
    return claims.map(({ id }) => take(started, id));
  });

  const recordTogether = inBatches(batchSize, async (ended: readonly EndedAttempt[]) => {
    const recorded = await written(ended, () => recordOutcomes(pool, form, ended));
    const released = new Map<string, Promise<boolean>>();
    return ended.map(({ delivery }) => {
      const own = take(recorded, delivery.id);
      if (!own) return undefined;
      const { state, slot } = own;
      if (own.receiverDue !== null) return { state, receiverDue: own.receiverDue };
      const key = `${slot.accountId} ${slot.host}`;
      // The outcome is already recorded. If this fails, the receiver is checked again within a second.
      const receiverDue = released.get(key) ?? releaseSlot(pool, slot).catch(() => false);
      released.set(key, receiverDue);
      return { state, receiverDue };
    });
  });

  /** The rows that a shared statement wrote, by delivery id; empty if the statement failed. */
  async function written<Written extends { id: string }>(
    items: readonly unknown[],
    write: () => Promise<Written[]>,
  ): Promise<Map<string, Written>> {
    try {
      return new Map((await write()).map((each) => [each.id, each]));
    } catch (error) {
      log.warn({ err: error, deliveries: items.length }, 'a shared statement failed; writing each delivery alone');
      return new Map();
    }
  }

  return {
    async begin(claim) {
      return (await beginTogether(claim)) ?? beginAttempt(pool, form, claim, { dispatcherId, at: now?.() });
    },
    async record(delivery, outcome) {
      const recorded = await recordTogether({ delivery, outcome });
      if (!recorded) return recordAttempt(pool, form, delivery, outcome);
      return { state: recorded.state, receiverDue: await recorded.receiverDue };
    },
  };
}

function take<Value>(from: Map<string, Value>, id: string): Value | undefined {
  const value = from.get(id);
  from.delete(id);
  return value;
}
