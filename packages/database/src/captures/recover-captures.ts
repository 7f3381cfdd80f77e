import type pg from 'pg';
import { recordCleanupRun } from '../cleanup/cleanup-runs.ts';
import { type Queryable, transaction } from '../database.ts';
import { recoveryLock } from '../locks.ts';
import { type EventContext, endCapture } from './end-capture.ts';
import { recoverWaitingAccounts } from './waiting-accounts.ts';

/** After this many lost workers the capture itself is assumed to kill them. */
const lostWorkersAtMost = 3;

/**
 * A capture that was enqueued this long ago and not claimed may have been lost in Redis: it waits for its turn again. The
 * queue is one round of the pages deep, and adding a job that is still there changes nothing.
 */
const requeueAfterS = 15;

/** Rows per run; the next run, seconds later, continues. */
const rowsPerRun = 500;

export interface RecoveredCaptures {
  /** How many wait for their turn again, because their worker or their job in Redis was lost. */
  waiting: number;
  /** Ids of captures that failed after too many lost workers. */
  failed: string[];
}

/**
 * Recovers captures that no worker is working on: the lease of a lost worker has expired, or the job in Redis was lost, or
 * never added because a process died first.
 *
 * @returns null while another process runs this job.
 */
export async function recoverCaptures(pool: pg.Pool, context: EventContext): Promise<RecoveredCaptures | null> {
  const countOf = ({ waiting, failed }: RecoveredCaptures) => waiting + failed.length;
  return recordCleanupRun(pool, 'lost captures', () => recover(pool, context), countOf);
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
 * Makes all enqueued captures wait for their turn again, because Redis came back and may have lost its last second or
 * everything. Jobs that it still has are not added twice: their ids are the same.
 *
 * @returns how many captures.
 */
export async function requeueCaptures(database: Queryable): Promise<number> {
  const { rowCount } = await database.query(
    // Rows that are locked are being claimed or cancelled: what is left of them is recovered later. Waiting could deadlock.
    `UPDATE capture SET enqueued_at = NULL
      WHERE id = ANY (ARRAY(SELECT id FROM capture WHERE status = 'queued' AND enqueued_at IS NOT NULL
                             FOR UPDATE SKIP LOCKED))`,
  );
  await recoverWaitingAccounts(database);
  return rowCount ?? 0;
}
