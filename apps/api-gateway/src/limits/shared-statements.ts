import { findKeys, type KeyLookup, type KeyOwner } from '@capture/database/accounts/find-key';
import { type NewCapture, type Reservation, reserveCapture, reserveCaptures } from '@capture/database/captures/reserve-capture';
import { isDatabaseUnavailable } from '@capture/database/is-unavailable';
import { inBatches } from '@capture/runtime/in-batches';
import type { Logger } from '@capture/runtime/log';
import type pg from 'pg';

/** Requests of one statement at most: it is over in some milliseconds, and the others wait no longer than that. */
const batchSize = 64;

/** The statements of every capture request: those that come while one is under way share the next. */
export interface SharedStatements {
  /** Whose key it is; null for one that is not valid. */
  findKey(lookup: KeyLookup): Promise<KeyOwner | null>;
  /** As `reserveCapture`, in a transaction of its own. */
  reserve(capture: NewCapture): Promise<Reservation | null>;
}

export function createSharedStatements(pool: pg.Pool, log: Logger): SharedStatements {
  const reserveTogether = inBatches(batchSize, async (captures: readonly NewCapture[]) => {
    try {
      const reserved = await reserveCaptures(pool, captures);
      return captures.map(({ id }) => reserved.get(id));
    } catch (error) {
      // It may have taken place all the same: another try would meet its own rows.
      if (isDatabaseUnavailable(error)) throw error;
      log.warn({ err: error, captures: captures.length }, 'a shared reservation failed; each is made by itself');
      return captures.map(() => undefined);
    }
  });
  return {
    findKey: inBatches(batchSize, (lookups: readonly KeyLookup[]) => findKeys(pool, lookups)),
    // What is left out (a quota that is used up, a lock that somebody holds) is answered, and waits, by itself.
    reserve: async (capture) => (await reserveTogether(capture)) ?? reserveCapture(pool, capture),
  };
}
