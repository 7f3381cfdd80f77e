import type { ContractForm } from '@capture/contract/forms/forms';
import type { Database } from '@capture/database/database';
import { beginAttempt, beginAttempts, type DeliveryAttempt } from '@capture/database/deliveries/begin-attempt';
import type { ClaimedDelivery } from '@capture/database/deliveries/claim-deliveries';
import type { AttemptOutcome, RecordedAttempt } from '@capture/database/deliveries/next-state';
import { type ReleasedSlot, releaseSlot } from '@capture/database/deliveries/receivers';
import { recordAttempt } from '@capture/database/deliveries/record-attempt';
import { recordSuccesses, type Success } from '@capture/database/deliveries/record-successes';
import { inBatches } from '@capture/runtime/in-batches';
import type { Logger } from '@capture/runtime/service/log';

/** Deliveries of one statement at most: it takes some milliseconds, and the others wait no longer than that. */
const batchSize = 64;

/** Records the beginnings and outcomes of attempts. */
export interface Attempts {
  /** As `beginAttempt`. */
  begin(claim: ClaimedDelivery): Promise<DeliveryAttempt | null>;
  /** As `recordAttempt`. */
  record(delivery: DeliveryAttempt, outcome: AttemptOutcome): Promise<RecordedAttempt | null>;
}

interface AttemptsDependencies {
  form: ContractForm;
  database: Pick<Database, 'pool'>;
  /** The id in this dispatcher's heartbeat. */
  dispatcherId: string;
  log: Logger;
  /** The time; by default that of the database. */
  now?: () => Date;
}

/**
 * Batches the writes of many deliveries: those that begin or succeed while a statement is in progress share the next one,
 * and with it a commit (a write to disk). A delivery that a shared statement skips, because its row is locked or its claim
 * lost, or because the statement failed, is written and waits alone.
 */
export function createAttempts({ form, database: { pool }, dispatcherId, log, now }: AttemptsDependencies): Attempts {
  const beginTogether = inBatches(batchSize, async (claims: readonly ClaimedDelivery[]) => {
    const started = await written(claims, () => beginAttempts(pool, form, claims, { dispatcherId, at: now?.() }));
    // The queue may deliver a claim twice: only the first gets the attempt.
    return claims.map(({ id }) => take(started, id));
  });

  const recordTogether = inBatches(batchSize, async (successes: readonly Success[]) => {
    const recorded = await written(successes, () => recordSuccesses(pool, form, successes));
    const released = new Map<string, Promise<boolean>>();
    return successes.map(({ delivery: { id, accountId, host }, outcome: { endedAt } }) => {
      const own = take(recorded, id);
      if (!own) return undefined;
      if (own.receiverDue !== null) return { receiverDue: own.receiverDue };
      const key = `${accountId} ${host}`;
      // The outcome is recorded already: if this fails, the receiver is checked again within a second.
      const receiverDue = released.get(key) ?? release({ accountId, host, endedAt }).catch(() => false);
      released.set(key, receiverDue);
      return { receiverDue };
    });
  });

  const release = (receiver: Pick<ReleasedSlot, 'accountId' | 'host' | 'endedAt'>) =>
    releaseSlot(pool, { ...receiver, prompt: true, nextAttemptAt: null });

  /** What a shared statement wrote, by delivery id; empty if it failed. */
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
