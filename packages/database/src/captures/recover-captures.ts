import type pg from 'pg';
import { recordCleanupRun } from '../cleanup/cleanup-runs.ts';
import { type Queryable, transaction } from '../database.ts';
import { recoveryLock } from '../locks.ts';
import { type EventContext, endCapture } from './end-capture.ts';

/** After this many lost workers a capture is taken for what killed them. */
const lostWorkersAtMost = 3;

/**
 * A capture that is in the queue and was not taken by then may have been lost there: it waits for its turn again. The
 * queue is one round of the pages deep, and one that is there still is left as it is.
 */
const requeueAfterS = 15;

/** Rows a sweep handles at most; the next one, seconds later, goes on. */
const cleanupSize = 500;

export interface RecoveredCaptures {
  /** How many wait for their turn again: their worker was lost, or their entry in Redis. */
  waiting: number;
  /** Ended as failed after too many lost workers. */
  failed: string[];
}

/**
 * Finds the captures that nobody works on although somebody should: the claim of a lost worker has ended, or the entry
 * in Redis was lost, or never written because a process died before it.
 *
 * @returns null while another process does the same.
 */
export async function recoverCaptures(
  pool: pg.Pool,
  context: EventContext,
  at: Date,
): Promise<RecoveredCaptures | null> {
  const recovered = ({ waiting, failed }: RecoveredCaptures) => waiting + failed.length;
  return recordCleanupRun(pool, 'lost captures', () => recover(pool, context, at), recovered);
}

async function recover(pool: pg.Pool, context: EventContext, at: Date): Promise<RecoveredCaptures | null> {
  const found = await transaction(pool, async (connection) => {
    const lock = await connection.query('SELECT pg_try_advisory_xact_lock($1) AS held', [recoveryLock]);
    if (!lock.rows[0].held) return null;
    const hopeless = await connection.query(
      `SELECT id, attempt FROM capture
        WHERE status = 'processing' AND lease_until < now() AND lost_workers + 1 >= $1
        ORDER BY lease_until LIMIT $2`,
      [lostWorkersAtMost, cleanupSize],
    );
    const lost = await connection.query(
      `UPDATE capture
          SET status = 'queued', lost_workers = lost_workers + 1, worker_id = NULL, lease_until = NULL,
              started_at = NULL, enqueued_at = NULL
        WHERE id IN (SELECT id FROM capture
                      WHERE status = 'processing' AND lease_until < now() AND lost_workers + 1 < $1
                      ORDER BY lease_until LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [lostWorkersAtMost, cleanupSize],
    );
    const waiting = await connection.query(
      `UPDATE capture SET enqueued_at = NULL
        WHERE id IN (SELECT id FROM capture
                      WHERE status = 'queued' AND enqueued_at < now() - make_interval(secs => $1)
                      ORDER BY enqueued_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [requeueAfterS, cleanupSize],
    );
    return { hopeless: hopeless.rows, waiting: (lost.rowCount ?? 0) + (waiting.rowCount ?? 0) };
  });
  if (!found) return null;

  const failed: string[] = [];
  for (const { id, attempt } of found.hopeless) {
    const ended = await endCapture(pool, context, {
      captureId: id,
      attempt,
      at,
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
 * Lets everything that is in the queue wait for its turn again, because Redis came back and may have lost its last
 * second or all. What it still has is not put in a second time: the ids are the same.
 *
 * @returns how many there are.
 */
export async function requeueCaptures(database: Queryable): Promise<number> {
  const { rowCount } = await database.query(
    `UPDATE capture SET enqueued_at = NULL WHERE status = 'queued' AND enqueued_at IS NOT NULL`,
  );
  return rowCount ?? 0;
}
