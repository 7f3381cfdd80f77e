import type { CaptureType } from '@capture/contract/events/events';
import type pg from 'pg';
import { type Queryable, transaction } from '../database.ts';
import { forTime, inSlices } from '../in-slices.ts';

/** The target that a link shows, and the account that owns it. */
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
  /** The URL, without query, that the page's redirects and scripts led to; null if it is not known. */
  finalUrl: string | null;
}

/** Finds the newest stored file of a link's target, however old; null before the first render. */
export async function findLinkFile(database: Queryable, target: LinkTarget): Promise<LinkFile | null> {
  const { rows } = await database.query<LinkFile>({
    name: 'find-link-file',
    text: `SELECT id, format, file_size AS "fileSize", storage_key AS "storageKey", completed_at AS "completedAt",
                  receipt->>'final_url' AS "finalUrl"
             FROM capture
            WHERE account_id = $1 AND fingerprint = $2 AND type = $3 AND status = 'completed'
              AND storage_key IS NOT NULL AND expires_at > now() AND NOT cached
            ORDER BY completed_at DESC LIMIT 1`,
    values: [target.accountId, target.fingerprint, target.type],
  });
  return rows[0] ?? null;
}

/** After a render has failed, the link shows the failure for this many seconds before it renders again. */
const failureHoldsS = 60;

/**
 * Claims the render of a link's target, in a transaction. Of equal links on all gateways one renders, and the others wait for its
 * capture. They wait here until the first has recorded its capture or failed.
 *
 * @param ttlS a capture that completed at most this many seconds ago needs no new render.
 * @returns the capture to wait for; null if the caller has to create `captureId`.
 */
export async function claimLinkRender(
  connection: Queryable,
  target: LinkTarget,
  { captureId, ttlS }: { captureId: string; ttlS: number },
): Promise<string | null> {
  return claimRender(connection, { ...target, captureId }, (earlier) => isEnough(connection, earlier, ttlS));
}

/**
 * Claims the render of a capture with `cache_ttl_s` that a worker has taken. Of equal captures on all workers one is rendered,
 * and the others wait for it.
 *
 * @returns the capture to wait for, which another worker is rendering; null if the caller has to render.
 */
export async function claimEqualRender(pool: pg.Pool, claim: RenderClaim): Promise<string | null> {
  return transaction(pool, (connection) =>
    claimRender(connection, claim, (earlier) => isRendering(connection, earlier)),
  );
}

interface RenderClaim extends Pick<LinkTarget, 'accountId' | 'fingerprint'> {
  captureId: string;
}

async function claimRender(
  connection: Queryable,
  { accountId, fingerprint, captureId }: RenderClaim,
  isSufficient: (captureId: string) => Promise<boolean>,
): Promise<string | null> {
  const values = [accountId, fingerprint, captureId];
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
  if (earlier !== undefined && earlier !== captureId && (await isSufficient(earlier))) return earlier;
  await connection.query({
    name: 'renew-link-render',
    text: `INSERT INTO link_render (account_id, fingerprint, capture_id, started_at) VALUES ($1, $2, $3, now())
           ON CONFLICT (account_id, fingerprint) DO UPDATE SET capture_id = $3, started_at = now()`,
    values,
  });
  return null;
}

export async function isRendering(database: Queryable, captureId: string): Promise<boolean> {
  const { rows } = await database.query({
    name: 'is-rendering',
    text: `SELECT FROM capture WHERE id = $1 AND status = 'processing' AND lease_until > now()`,
    values: [captureId],
  });
  return rows.length > 0;
}

/** Whether an earlier capture is enough for a link: it is in progress, has just failed, or is recent and has its file. */
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

/** Rows are kept for a day, which is longer than any render waits in a queue. */
const keptForS = 86_400;
const removedAtOnce = 1_000;

/** How long one run removes old rows, milliseconds. The run is repeated each minute, and a gateway that stops waits for it. */
export const forgettingMs = 5_000;

/** Deletes rows of renders that ended long ago; the link's next use creates a new row. */
export async function forgetLinkRenders(database: Queryable): Promise<void> {
  await inSlices(
    removedAtOnce,
    async (size) => {
      const { rowCount } = await database.query(
        `DELETE FROM link_render WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM link_render WHERE started_at < now() - make_interval(secs => ${keptForS})
            ORDER BY started_at LIMIT $1 FOR UPDATE SKIP LOCKED))`,
        [size],
      );
      return rowCount ?? 0;
    },
    forTime(forgettingMs),
  );
}
