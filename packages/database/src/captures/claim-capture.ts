import type { CaptureType } from '@capture/contract/events/events';
import type { Queryable } from '../database.ts';

/**
 * How long a worker's claim holds without a sign of life, milliseconds. The heartbeat renews it every third of that, so
 * that two missed ones are no loss, and a lost worker's captures are taken again within it and one sweep.
 */
export const captureLeaseMs = 10_000;

/** A capture in the hands of a worker. Only who holds the newest attempt can end it. */
export interface ClaimedCapture {
  id: string;
  accountId: string;
  plan: string;
  attempt: number;
  type: CaptureType;
  url: string;
  /** As the client gave them: the schema fills in the defaults. */
  options: Record<string, unknown>;
  fingerprint: Buffer | null;
  batchId: string | null;
  /** The batch whose items may use a page in turn; null where this one may not. */
  sharingBatchId: string | null;
  createdAt: Date;
  startedAt: Date;
}

/**
 * Takes a queued capture.
 *
 * @returns null if there is nothing to take: another worker has it, it was cancelled, it has ended, or its account
 * is deleted.
 */
export async function claimCapture(
  database: Queryable,
  claim: { captureId: string; workerId: string },
): Promise<ClaimedCapture | null> {
  const { rows } = await database.query({
    name: 'claim-capture',
    text: `UPDATE capture c
              SET status = 'processing', attempt = attempt + 1, worker_id = $2, started_at = now(),
                  lease_until = now() + make_interval(secs => $3)
             FROM account a
            WHERE c.id = $1 AND c.status = 'queued' AND a.id = c.account_id AND a.deleted_at IS NULL
        RETURNING c.id, c.account_id AS "accountId", a.plan, c.attempt, c.type, c.url, c.options, c.fingerprint,
                  c.batch_id AS "batchId",
                  (SELECT b.id FROM batch b WHERE b.id = c.batch_id AND b.share_page) AS "sharingBatchId",
                  c.created_at AS "createdAt", c.started_at AS "startedAt"`,
    values: [claim.captureId, claim.workerId, captureLeaseMs / 1_000],
  });
  return rows[0] ?? null;
}

/**
 * Puts a capture back into the queue because its worker stops in order; no worker counts as lost. It
 * waits for its turn again.
 *
 * @returns false if it was not this attempt's any more.
 */
export async function releaseCapture(database: Queryable, capture: { id: string; attempt: number }): Promise<boolean> {
  const { rowCount } = await database.query(
    `UPDATE capture SET status = 'queued', worker_id = NULL, lease_until = NULL, started_at = NULL, enqueued_at = NULL
      WHERE id = $1 AND status = 'processing' AND attempt = $2`,
    [capture.id, capture.attempt],
  );
  return rowCount === 1;
}
