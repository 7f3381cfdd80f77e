import type pg from 'pg';
import { recordCleanupRun } from '../cleanup/cleanup-runs.ts';
import { type Queryable, transaction } from '../database.ts';
import { recoveryLock } from '../locks.ts';
import { type EventContext, endCapture } from './end-capture.ts';
import { recoverWaitingAccounts } from './waiting-accounts.ts';

/** After this many lost workers the platform assumes that the capture itself kills workers. */
const lostWorkersAtMost = 3;

/**
 * A capture that was enqueued this many seconds ago without being claimed may have been lost in Redis, so it waits for scheduling
 * again. The queue is one round of the pages deep, and adding a job that still exists changes nothing.
 */
const requeueAfterS = 15;

/** The rows that one run recovers; the next run, seconds later, continues. */
const rowsPerRun = 500;

export interface RecoveredCaptures {
  /** The number of captures that wait for scheduling again, because their worker or their job in Redis was lost. */
  waiting: number;
  /** The ids of captures that failed after too many lost workers. */
  failed: string[];
}

/**
 * Recovers captures that no worker is working on: the lease of a lost worker has expired, or the job was lost in Redis, or a
 * process died before it added the job.
 *
 * @returns null while another process runs this job.
 */
export async function recoverCaptures(pool: pg.Pool, context: EventContext): Promise<RecoveredCaptures | null> {
  const countRecovered = ({ waiting, failed }: RecoveredCaptures) => waiting + failed.length;
  return recordCleanupRun(pool, 'lost captures', () => recover(pool, context), countRecovered);
}

async function recover(pool: pg.Pool, context: EventContext): Promise<RecoveredCaptures | null> {
  const found = await transaction(pool, async (connection) => {
    const locking = 'SELECT pg_try_advisory_xact_lock($1) AS held, now() AS at';
    const [lock] = (await connection.query<{ held: boolean; at: Date }>(locking, [recoveryLock])).rows;
    if (!lock?.held) return null;
    const hopeless = await connection.query(
      `SELECT id, attempt FROM capture
        WHERE status = 'processing' AND lease_until < now() AND lost_workers + 1 >= $1
        ORDER BY lease_until LIMIT $2`,
      [lostWorkersAtMost, rowsPerRun],
    );
    const lost = await connection.query(
      `UPDATE capture
          SET status = 'queued', lost_workers = lost_workers + 1, worker_id = NULL, lease_until = NULL,
              started_at = NULL, enqueued_at = NULL
        WHERE id = ANY (ARRAY(SELECT id FROM capture
                               WHERE status = 'processing' AND lease_until < now() AND lost_workers + 1 < $1
                               ORDER BY lease_until LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [lostWorkersAtMost, rowsPerRun],
    );
    const waiting = await connection.query(
      `UPDATE capture SET enqueued_at = NULL
        WHERE id = ANY (ARRAY(SELECT id FROM capture
                               WHERE status = 'queued' AND enqueued_at < now() - make_interval(secs => $1)
                               ORDER BY enqueued_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [requeueAfterS, rowsPerRun],
    );
    return { at: lock.at, hopeless: hopeless.rows, waiting: (lost.rowCount ?? 0) + (waiting.rowCount ?? 0) };
  });
  if (!found) return null;
  await recoverWaitingAccounts(pool);

  const failed: string[] = [];
  for (const { id, attempt } of found.hopeless) {
    const ended = await endCapture(pool, context, {
      captureId: id,
      attempt,
      at: found.at,
      durationMs: 0,
      outcome: {
        status: 'failed',
        errorCode: 'RENDERING_FAILED',
        errorMessage: `The page could not be rendered: ${lostWorkersAtMost} workers were lost while they tried.`,
      },
    });
    if (ended) failed.push(id);
  }
  return { waiting: found.waiting, failed };
}

/**
 * Makes all enqueued captures wait for scheduling again. Called when Redis has restarted, because Redis may have lost its last
 * second or all its data. A job that Redis still has is not added twice, because its id is the same.
 *
 * @returns the number of captures.
 */
export async function requeueCaptures(database: Queryable): Promise<number> {
  const { rowCount } = await database.query(
    // A locked row belongs to a capture that is being claimed or cancelled. Waiting for the lock could deadlock, so the row is
    // skipped; `recoverCaptures` recovers the capture later if needed.
    `UPDATE capture SET enqueued_at = NULL
      WHERE id = ANY (ARRAY(SELECT id FROM capture WHERE status = 'queued' AND enqueued_at IS NOT NULL
                             FOR UPDATE SKIP LOCKED))`,
  );
  await recoverWaitingAccounts(database);
  return rowCount ?? 0;
}
