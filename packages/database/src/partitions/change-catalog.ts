import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { transaction } from '../database.ts';

/**
 * How long a change of a table's partitions waits for its lock, milliseconds. Requests queue up behind it, so this is by how
 * much one may be delayed; most transactions are shorter.
 */
export const lockTimeoutMs = 100;

/** How long it may hold its locks: it changes the catalog, and reads a few rows from indexes. */
const statementTimeoutMs = 2_000;

/** How long the process may pause while all others wait for it: one that freezes delays them by no more, milliseconds. */
const idleTimeoutMs = 1_000;

const tries = 30;

const pauseMs = 1_000;

/** SQLSTATEs of a lock that was not available: another try may succeed. */
const lockNotAvailable = ['55P03', '40P01'];

/**
 * Changes a table's partitions in a transaction that waits for its locks only briefly, so that requests go on, and tries
 * again for half a minute.
 *
 * @throws when the locks could not be had. The next run of the cleanup job tries again.
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
