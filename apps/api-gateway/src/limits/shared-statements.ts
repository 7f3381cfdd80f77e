import { findKeys, type KeyLookup, type KeyOwner } from '@capture/database/accounts/find-key';
import {
  type NewCapture,
  type Reservation,
  reserveCapture,
  reserveCaptures,
} from '@capture/database/captures/reserve-capture';
import { isDatabaseUnavailable } from '@capture/database/is-unavailable';
import { inBatches } from '@capture/runtime/in-batches';
import type { Logger } from '@capture/runtime/service/log';
import type pg from 'pg';
import type { Admission } from './admission.ts';

/**
 * Most requests per statement. A statement of this size takes some milliseconds, and other requests wait no longer than that.
 */
const batchSize = 64;

/** The statements of every capture request. Requests that arrive while a statement is in progress share the next one. */
export interface SharedStatements {
  /** The key's owner; null for an invalid key. */
  findKey(lookup: KeyLookup): Promise<KeyOwner | null>;
  /** Like `reserveCapture`, in a separate transaction. */
  reserve(capture: NewCapture): Promise<Reservation | null>;
}

export function createSharedStatements(pool: pg.Pool, admission: Admission, log: Logger): SharedStatements {
  const reserveTogether = inBatches(batchSize, async (captures: readonly NewCapture[]) => {
    try {
      const reserved = await reserveCaptures(pool, captures);
      return captures.map(({ id }) => reserved.get(id));
    } catch (error) {
      // The statement may have succeeded nevertheless: a retry would conflict with its rows.
      if (isDatabaseUnavailable(error)) throw error;
      log.warn(
        { err: error, captures: captures.length },
        'a shared reservation failed; each capture is reserved by itself',
      );
      return captures.map(() => undefined);
    }
  });
  return {
    findKey: inBatches(batchSize, (lookups: readonly KeyLookup[]) => findKeys(pool, lookups)),
    // A capture that the statement skips (exhausted quota, locked row) is reserved, and waits, in a separate statement.
    reserve: async (capture) =>
      (await reserveTogether(capture)) ??
      admission.run('transaction', capture.accountId, () => reserveCapture(pool, capture)),
  };
}
