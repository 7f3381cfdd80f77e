import type { CaptureType } from '@capture/contract/events/events';
import type { Queryable } from '../database.ts';

/** What a link shows, and whose it is. */
export interface LinkTarget {
  accountId: string;
  type: CaptureType;
  fingerprint: Buffer;
}

/** The newest file that a link can show. */
export interface LinkFile {
  id: string;
  format: string;
  fileSize: number;
  storageKey: string;
  completedAt: Date;
}

/** The newest stored file of a link's target, however old; null before the first render. */
export async function findLinkFile(database: Queryable, target: LinkTarget): Promise<LinkFile | null> {
  const { rows } = await database.query<LinkFile>({
    name: 'find-link-file',
    text: `SELECT id, format, file_size AS "fileSize", storage_key AS "storageKey", completed_at AS "completedAt"
             FROM capture
            WHERE account_id = $1 AND fingerprint = $2 AND type = $3 AND status = 'completed'
              AND storage_key IS NOT NULL AND expires_at > now() AND NOT cached
            ORDER BY completed_at DESC LIMIT 1`,
    values: [target.accountId, target.fingerprint, target.type],
  });
  return rows[0] ?? null;
}

/** After a render that failed, seconds: until then the link shows its failure, and does not render again. */
const failureHoldsS = 60;

/**
 * Claims the render of a target, in a transaction: of equal links on all gateways one renders, and the others wait for its
 * capture. The others wait here until the first has recorded its capture, or failed.
 *
 * @param ttlS a capture that completed at most so long ago needs no other.
 * @returns the capture to wait for; null if the caller is to create `captureId`.
 */
export async function claimLinkRender(
  connection: Queryable,
  target: LinkTarget,
  { captureId, ttlS }: { captureId: string; ttlS: number },
): Promise<string | null> {
  const values = [target.accountId, target.fingerprint, captureId];
  const inserted = await connection.query({
    name: 'insert-link-render',
    text: `INSERT INTO link_render (account_id, fingerprint, capture_id, started_at) VALUES ($1, $2, $3, now())
           ON CONFLICT DO NOTHING`,
    values,
  });
  if (inserted.rowCount === 1) return null;
  const { rows } = await connection.query<{ captureId: string }>({
    name: 'lock-link-render',
    text: `SELECT capture_id AS "captureId" FROM link_render WHERE account_id = $1 AND fingerprint = $2 FOR UPDATE`,
    values: values.slice(0, 2),
  });
  const earlier = rows[0]?.captureId;
  if (earlier !== undefined && (await isEnough(connection, earlier, ttlS))) return earlier;
  await connection.query({
    name: 'renew-link-render',
    text: `INSERT INTO link_render (account_id, fingerprint, capture_id, started_at) VALUES ($1, $2, $3, now())
           ON CONFLICT (account_id, fingerprint) DO UPDATE SET capture_id = $3, started_at = now()`,
    values,
  });
  return null;
}

/** Whether an earlier capture is enough for a link: it is on its way, has just failed, or is recent and has its file. */
async function isEnough(connection: Queryable, captureId: string, ttlS: number): Promise<boolean> {
  const { rows } = await connection.query({
    name: 'is-link-render-enough',
    text: `SELECT FROM capture
            WHERE id = $1
              AND (status IN ('queued', 'processing')
                   OR status = 'failed' AND completed_at > now() - make_interval(secs => ${failureHoldsS})
                   OR status = 'completed' AND storage_key IS NOT NULL AND expires_at > now()
                      AND completed_at > now() - make_interval(secs => $2))`,
    values: [captureId, ttlS],
  });
  return rows.length > 0;
}

/**
 * Counts a render of a link, in the transaction that reserves its capture.
 *
 * @param month whose quota it reserved; its row exists.
 * @returns whether it is within `perDay`; if not, the transaction must not be committed.
 */
export async function countLinkRender(
  connection: Queryable,
  { accountId, month, perDay }: { accountId: string; month: string; perDay: number },
): Promise<boolean> {
  const { rowCount } = await connection.query({
    name: 'count-link-render',
    text: `UPDATE usage
              SET link_renders = CASE WHEN link_day = (now() AT TIME ZONE 'UTC')::date THEN link_renders + 1 ELSE 1 END,
                  link_day = (now() AT TIME ZONE 'UTC')::date
            WHERE account_id = $1 AND month = $2
              AND (link_day IS DISTINCT FROM (now() AT TIME ZONE 'UTC')::date OR link_renders < $3)`,
    values: [accountId, month, perDay],
  });
  return rowCount === 1;
}

/** Longer than any render waits in a queue. */
const keptForS = 86_400;
const removedAtOnce = 1_000;

/** Removes marks of renders that ended long ago; a link's next use makes another. */
export async function forgetLinkRenders(database: Queryable): Promise<void> {
  await database.query(
    `DELETE FROM link_render WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM link_render WHERE started_at < now() - make_interval(secs => ${keptForS})
        ORDER BY started_at LIMIT ${removedAtOnce} FOR UPDATE SKIP LOCKED))`,
  );
}
