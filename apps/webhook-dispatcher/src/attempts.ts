import type { ContractForm } from '@capture/contract/forms/forms';
import type { Database } from '@capture/database/database';
import { beginAttempt, beginAttempts, type DeliveryAttempt } from '@capture/database/deliveries/begin-attempt';
import type { ClaimedDelivery } from '@capture/database/deliveries/claim-deliveries';
import type { AttemptOutcome, RecordedAttempt } from '@capture/database/deliveries/next-state';
import { type ReleasedSlot, releaseSlot } from '@capture/database/deliveries/receivers';
import { recordAttempt } from '@capture/database/deliveries/record-attempt';
import { recordSuccesses, type Success } from '@capture/database/deliveries/record-successes';
import { inBatches } from '@capture/runtime/in-batches';
import type { Logger } from '@capture/runtime/log';

/** Deliveries of one statement at most: it is over in some milliseconds, and the others wait no longer than that. */
const batchSize = 64;

/** What a delivery writes down: that its attempt is begun, and what came of it. */
export interface Attempts {
  /** As `beginAttempt`. */
  begin(claim: ClaimedDelivery): Promise<DeliveryAttempt | null>;
  /** As `recordAttempt`. */
  record(delivery: DeliveryAttempt, outcome: AttemptOutcome): Promise<RecordedAttempt | null>;
}

export interface AttemptsDependencies {
  form: ContractForm;
  database: Pick<Database, 'pool'>;
  /** This dispatcher, as its heartbeat names it. */
  dispatcherId: string;
  log: Logger;
  now: () => Date;
}

/**
 * Writes for many deliveries at once: those that begin, or succeed, while a statement is under way share the next one, so
 * that a commit (a write to the disk) is theirs together. What a shared statement leaves out, because somebody else is at
 * that row or a claim is lost, or because the statement failed, is done by itself and waits by itself.
 */
export function createAttempts({ form, database: { pool }, dispatcherId, log, now }: AttemptsDependencies): Attempts {
  const beginTogether = inBatches(batchSize, async (claims: readonly ClaimedDelivery[]) => {
    const begun = await written(claims, () => beginAttempts(pool, form, claims, { dispatcherId, at: now() }));
    // The queue may hand a claim out twice: the attempt is the first one's alone.
    return claims.map(({ id }) => take(begun, id));
  });

  const recordTogether = inBatches(batchSize, async (successes: readonly Success[]) => {
    const recorded = await written(successes, () => recordSuccesses(pool, form, successes));
    const told = new Map<string, Promise<boolean>>();
    return successes.map(({ delivery: { id, accountId, host }, outcome: { endedAt } }) => {
      const own = take(recorded, id);
      if (!own) return undefined;
      if (own.receiverDue !== null) return { receiverDue: own.receiverDue };
      const key = `${accountId} ${host}`;
      // The outcome stands already: a receiver that could not be told is looked at again within a second.
      const telling = told.get(key) ?? tell({ accountId, host, endedAt }).catch(() => false);
      told.set(key, telling);
      return { receiverDue: telling };
    });
  });

  const tell = (receiver: Pick<ReleasedSlot, 'accountId' | 'host' | 'endedAt'>) =>
    releaseSlot(pool, { ...receiver, prompt: true, nextAttemptAt: null });

  /** What a shared statement wrote, by the ids of deliveries; nothing if it failed. */
  async function written<Written extends { id: string }>(
    items: readonly unknown[],
    write: () => Promise<Written[]>,
  ): Promise<Map<string, Written>> {
    try {
      return new Map((await write()).map((each) => [each.id, each]));
    } catch (error) {
      log.warn(
        { err: error, deliveries: items.length },
        'a shared statement failed; each delivery is written by itself',
      );
      return new Map();
    }
  }

  return {
    async begin(claim) {
      return (await beginTogether(claim)) ?? beginAttempt(pool, form, claim, { dispatcherId, at: now() });
    },
    async record(delivery, outcome) {
      const recorded = outcome.error === null ? await recordTogether({ delivery, outcome }) : undefined;
      if (!recorded) return recordAttempt(pool, form, delivery, outcome);
      return { state: 'delivered', receiverDue: await recorded.receiverDue };
    },
  };
}

function take<Value>(from: Map<string, Value>, id: string): Value | undefined {
  const value = from.get(id);
  from.delete(id);
  return value;
}
