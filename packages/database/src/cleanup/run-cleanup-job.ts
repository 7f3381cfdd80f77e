import type pg from 'pg';
import { transaction } from '../database.ts';
import type { CleanupJobName } from './cleanup-jobs.ts';
import { recordCleanupRun, recordCleanupStart } from './cleanup-runs.ts';

/**
 * The connection with the lock sends an empty statement at this interval, milliseconds. The server ends the connection after 5 s
 * without a statement.
 */
const aliveEveryMs = 1_000;

/**
 * Runs a cleanup job unless another process is running it. The lock is held during the run and released with the connection, so a
 * process that dies or freezes does not block the others. The run is recorded for the operator.
 *
 * @param work gets the time of the database: a process whose clock is wrong must not mistake current rows for old rows.
 * @param countOf returns the count that is recorded for a result; a number is its own count.
 * @returns the result, or null if another process had the lock.
 */
export async function runCleanupJob<T>(
  pool: pg.Pool,
  name: CleanupJobName,
  work: (at: Date) => Promise<T>,
  countOf: (result: T) => number = Number,
): Promise<T | null> {
  return transaction(pool, async (connection) => {
    const { rows } = await connection.query(
      'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS held, now() AS at',
      [`sweep ${name}`],
    );
    if (!rows[0].held) return null;
    await recordCleanupStart(pool, name);
    const alive = setInterval(() => void connection.query('').catch(() => undefined), aliveEveryMs);
    try {
      return await recordCleanupRun(pool, name, () => work(rows[0].at), countOf);
    } finally {
      clearInterval(alive);
    }
  });
}
