import type { Queryable } from '../database.ts';
import { type CleanupJobName, type CleanupJobOwner, cleanupJobs } from './cleanup-jobs.ts';

/** A cleanup job with its last run; what it has never done is null. */
export interface CleanupJobRun {
  name: CleanupJobName;
  owner: CleanupJobOwner;
  /** Between two runs, milliseconds. */
  everyMs: number;
  /** Later than `lastFinishedAt` while it runs, or where the process that ran it died in it. */
  lastStartedAt: Date | null;
  /** When the last run ended that did; the fields after it are of that run. */
  lastFinishedAt: Date | null;
  lastDurationMs: number | null;
  /** What it removed, found or mended; null if it failed. */
  lastCount: number | null;
  /** Why it failed; null if it did not. */
  lastError: string | null;
}

/** Of an error's message, characters. */
const errorKept = 500;

/** Notes that a sweep begins that may take its time. That it cannot be noted is no reason not to sweep. */
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
 * Does the work of a sweep, and notes when and for how long it ran and what came of it.
 *
 * @param work gives null where another process was at it: then there is nothing to note.
 */
export async function recordCleanupRun<T>(
  database: Queryable,
  name: CleanupJobName,
  work: () => Promise<T | null>,
  countOf: (result: T) => number,
): Promise<T | null> {
  const startedAt = performance.now();
  const note = (came: Pick<CleanupEnd, 'count' | 'error'>) =>
    noteCleanupEnded(database, name, { ...came, durationMs: Math.round(performance.now() - startedAt) });
  try {
    const result = await work();
    if (result !== null) await note({ count: countOf(result), error: null });
    return result;
  } catch (error) {
    await note({ count: null, error: messageOf(error).slice(0, errorKept) });
    throw error;
  }
}

interface CleanupEnd {
  durationMs: number;
  count: number | null;
  error: string | null;
}

async function noteCleanupEnded(database: Queryable, name: CleanupJobName, end: CleanupEnd): Promise<void> {
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

/** Every cleanup job there is, those that have never run too. */
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
