import type { Queryable } from '../database.ts';
import { type CleanupJobName, type CleanupJobOwner, cleanupJobs } from './cleanup-jobs.ts';

/** A cleanup job with its last run. The fields of the run are null if the job has never run. */
export interface CleanupJobRun {
  name: CleanupJobName;
  owner: CleanupJobOwner;
  /** The interval between two runs, milliseconds. */
  everyMs: number;
  /** Later than `lastFinishedAt` while the job runs, or if the process died during the run. */
  lastStartedAt: Date | null;
  /** When the last finished run ended; the following fields describe that run. */
  lastFinishedAt: Date | null;
  lastDurationMs: number | null;
  /** The rows or files that the run removed, found or fixed; null if the run failed. */
  lastCount: number | null;
  /** The error of the run; null if the run succeeded. */
  lastError: string | null;
}

/** The characters of an error message that are stored. */
const errorLength = 500;

/** Records that a cleanup run started. The job runs even if recording fails. */
export async function recordCleanupStart(database: Queryable, name: CleanupJobName): Promise<void> {
  await database
    .query({
      name: 'note-sweep-begun',
      text: `INSERT INTO sweeper_run (name, started_at) VALUES ($1, now())
             ON CONFLICT (name) DO UPDATE SET started_at = excluded.started_at`,
      values: [name],
    })
    .catch(() => undefined);
}

/**
 * Runs a cleanup job and records its time, duration and result.
 *
 * @param work returns null if another process was running the job; no run is recorded then.
 */
export async function recordCleanupRun<T>(
  database: Queryable,
  name: CleanupJobName,
  work: () => Promise<T | null>,
  countOf: (result: T) => number,
): Promise<T | null> {
  const startedAt = performance.now();
  const record = (result: Pick<CleanupEnd, 'count' | 'error'>) =>
    recordCleanupEnd(database, name, { ...result, durationMs: Math.round(performance.now() - startedAt) });
  try {
    const result = await work();
    if (result !== null) await record({ count: countOf(result), error: null });
    return result;
  } catch (error) {
    await record({ count: null, error: errorMessage(error).slice(0, errorLength) });
    throw error;
  }
}

interface CleanupEnd {
  durationMs: number;
  count: number | null;
  error: string | null;
}

async function recordCleanupEnd(database: Queryable, name: CleanupJobName, end: CleanupEnd): Promise<void> {
  await database
    .query({
      name: 'note-sweep-ended',
      text: `INSERT INTO sweeper_run (name, started_at, finished_at, duration_ms, count, error)
             VALUES ($1, now() - make_interval(secs => $2::float8 / 1000), now(), $2::int, $3, $4)
             ON CONFLICT (name) DO UPDATE
               SET started_at = excluded.started_at, finished_at = excluded.finished_at,
                   duration_ms = excluded.duration_ms, count = excluded.count, error = excluded.error`,
      values: [name, end.durationMs, end.count, end.error],
    })
    .catch(() => undefined);
}

/** Reads every cleanup job, including jobs that have never run. */
export async function readCleanupJobRuns(database: Queryable): Promise<CleanupJobRun[]> {
  const { rows } = await database.query(
    `SELECT name, started_at AS "lastStartedAt", finished_at AS "lastFinishedAt", duration_ms AS "lastDurationMs",
            count AS "lastCount", error AS "lastError" FROM sweeper_run`,
  );
  const runs = new Map(rows.map((row) => [row.name, row]));
  const never = {
    lastStartedAt: null,
    lastFinishedAt: null,
    lastDurationMs: null,
    lastCount: null,
    lastError: null,
  };
  return Object.entries(cleanupJobs).map(([name, cleanupJob]) => ({
    ...never,
    ...runs.get(name),
    name: name as CleanupJobName,
    ...cleanupJob,
  }));
}

function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
