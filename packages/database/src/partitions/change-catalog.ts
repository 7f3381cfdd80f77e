import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { transaction } from '../database.ts';

/**
 * How long a change of a table's partitions waits for its lock, milliseconds. Requests queue up behind the waiting change, so
 * this is also how long it may delay a request. Most transactions are shorter.
 */
export const lockTimeoutMs = 100;

/** How long the change may hold its locks, milliseconds. It changes the catalog and reads a few rows from indexes. */
const statementTimeoutMs = 2_000;

/** How long the change may pause while all others wait, milliseconds; a process that freezes delays them no longer than this. */
const idleTimeoutMs = 1_000;

const tries = 30;

const pauseMs = 1_000;

/** SQLSTATEs of a lock that was not available; another try may succeed. */
const lockNotAvailable = ['55P03', '40P01'];

/**
 * Changes a table's partitions in a transaction that waits for its locks only briefly, so that requests are hardly delayed. Tries
 * again for half a minute.
 *
 * @throws if the locks were not available. The next run of the cleanup job tries again.
 */
export async function changeCatalog<T>(pool: pg.Pool, change: (connection: pg.PoolClient) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const limits = `SET LOCAL lock_timeout = ${lockTimeoutMs}; SET LOCAL statement_timeout = ${statementTimeoutMs}; SET LOCAL idle_in_transaction_session_timeout = ${idleTimeoutMs}`;
      return await transaction(pool, change, limits);
    } catch (error) {
      const { code } = error as { code?: string };
      if (!lockNotAvailable.includes(code ?? '') || attempt === tries) throw error;
      await sleep(pauseMs);
    }
  }
}
