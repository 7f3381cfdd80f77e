import type pg from 'pg';
import { transaction } from './database.ts';

/**
 * Runs a sweep unless some process is at it already. The lock is held for as long as it takes and ends with the
 * connection, so that a process that dies in it blocks nobody.
 *
 * @returns what the sweep gives, or null if another process had the lock.
 */
export async function sweep<T>(pool: pg.Pool, name: string, work: () => Promise<T>): Promise<T | null> {
  return transaction(pool, async (connection) => {
    const { rows } = await connection.query('SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS held', [
      `sweep ${name}`,
    ]);
    return rows[0].held ? work() : null;
  });
}
