import type { CaptureType } from '@capture/contract/events/events';
import type { Queryable } from '../database.ts';
import { noteWaiting } from './waiting-accounts.ts';

/**
 * How long a worker's claim lasts without a heartbeat, milliseconds. The heartbeat renews the claim every third of this time, so
 * two heartbeats may be missed. The captures of a lost worker wait at most this long and until the next cleanup run.
 */
export const captureLeaseMs = 10_000;

/** A capture claimed by a worker. Only the newest attempt can end the capture. */
export interface ClaimedCapture {
  id: string;
  accountId: string;
  plan: string;
  attempt: number;
  type: CaptureType;
  url: string;
  /** The options as the client sent them; the schema fills in the defaults. */
  options: Record<string, unknown>;
  fingerprint: Buffer | null;
  batchId: string | null;
  createdAt: Date;
  startedAt: Date;
  /** Returns the time by the clock of Postgres. Files expire by this clock, whatever the time on the worker's machine. */
  now: () => Date;
}

/**
 * Claims a queued capture.
 *
 * @returns null if the capture cannot be claimed: another worker has claimed it, it was cancelled, it has ended, or its account
 * is deleted.
 */
export async function claimCapture(
  database: Queryable,
  claim: { captureId: string; workerId: string },
): Promise<ClaimedCapture | null> {
  const { rows } = await database.query<Omit<ClaimedCapture, 'now'>>({
    name: 'claim-capture',
    text: `UPDATE capture c
              SET status = 'processing', attempt = attempt + 1, worker_id = $2, started_at = now(),
                  lease_until = now() + make_interval(secs => $3)
             FROM account a
            WHERE c.id = $1 AND c.status = 'queued' AND a.id = c.account_id AND a.deleted_at IS NULL
        RETURNING c.id, c.account_id AS "accountId", a.plan, c.attempt, c.type, c.url, c.options, c.fingerprint,
                  c.batch_id AS "batchId",
                  c.created_at AS "createdAt", c.started_at AS "startedAt"`,
    values: [claim.captureId, claim.workerId, captureLeaseMs / 1_000],
  });
  const [claimed] = rows;
  if (!claimed) return null;
  const claimedAt = performance.now();
  return { ...claimed, now: () => new Date(claimed.startedAt.getTime() + performance.now() - claimedAt) };
}

/**
 * Makes a capture wait for scheduling again because its worker shuts down. The worker does not count as lost.
 *
 * @returns false if this attempt no longer holds the capture.
 */
export async function releaseCapture(database: Queryable, capture: { id: string; attempt: number }): Promise<boolean> {
  const { rowCount } = await database.query(
    `WITH released AS (
       UPDATE capture SET status = 'queued', worker_id = NULL, lease_until = NULL, started_at = NULL, enqueued_at = NULL
        WHERE id = $1 AND status = 'processing' AND attempt = $2
        RETURNING account_id
     ), waiting AS (${noteWaiting('released')})
     SELECT FROM released`,
    [capture.id, capture.attempt],
  );
  return rowCount === 1;
}
