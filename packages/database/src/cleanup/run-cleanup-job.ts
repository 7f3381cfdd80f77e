import type pg from 'pg';
import { transaction } from '../database.ts';
import type { CleanupJobName } from './cleanup-jobs.ts';
import { recordCleanupRun, recordCleanupStart } from './cleanup-runs.ts';

/**
 * Runs a sweep unless some process is at it already. The lock is held for as long as it takes and ends with the
 * connection, so that a process that dies in it blocks nobody. When it ran and what came of it is written down for the
 * operator.
 *
 * @param countOf tells from what the sweep gives how much it swept; a number is it already.
 * @returns what the sweep gives, or null if another process had the lock.
 */
export async function runCleanupJob<T>(
  pool: pg.Pool,
  name: CleanupJobName,
  work: () => Promise<T>,
  countOf: (result: T) => number = Number,
): Promise<T | null> {
  return transaction(pool, async (connection) => {
    const { rows } = await connection.query('SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS held', [
      `sweep ${name}`,
    ]);
    if (!rows[0].held) return null;
    await recordCleanupStart(pool, name);
    return recordCleanupRun(pool, name, work, countOf);
  });
}
