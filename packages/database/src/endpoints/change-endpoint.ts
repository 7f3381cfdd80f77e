import type pg from 'pg';
import { type Queryable, transaction } from '../database.ts';
import { underWay } from '../deliveries/in-progress.ts';
import { makeReceiversDue } from '../deliveries/make-receivers-due.ts';
import { pauseDeliveries } from '../deliveries/pause-deliveries.ts';
import { endpointColumns, type StoredEndpoint } from './endpoint-row.ts';

export interface EndpointChange {
  url?: string | undefined;
  events?: readonly string[] | undefined;
  status?: 'active' | 'paused' | undefined;
}

/**
 * Changes an endpoint and, with it, its open deliveries: they go to a new URL, are held back while it is paused, and are
 * due when it is active again. An attempt that is under way is left to who records its outcome.
 *
 * Lock order: endpoint, deliveries, receivers; events are inserted in the same.
 *
 * @param at what is taken for now.
 * @returns null if the account has no such endpoint.
 */
export async function changeEndpoint(
  pool: pg.Pool,
  endpoint: { id: string; accountId: string },
  change: EndpointChange,
  at: Date,
): Promise<StoredEndpoint | null> {
  return transaction(pool, async (connection) => {
    const { rows } = await connection.query<StoredEndpoint>(
      // Its days of failing were those of another URL, or ended with its being set active: they begin anew.
      `UPDATE webhook_endpoint
          SET url = coalesce($3, url), events = coalesce($4, events), status = coalesce($5, status),
              disabled_reason = CASE WHEN $5::text IS NULL THEN disabled_reason END,
              failing_since = CASE WHEN coalesce($3, url) = url AND coalesce($5, '') IN ('', status) THEN failing_since END
        WHERE id = $1 AND account_id = $2
    RETURNING ${endpointColumns}`,
      [endpoint.id, endpoint.accountId, change.url ?? null, change.events ?? null, change.status ?? null],
    );
    const [changed] = rows;
    if (!changed) return null;
    const due = new Set<string>();
    if (change.url !== undefined) await redirectDeliveries(connection, endpoint.id, change.url, at, due);
    if (change.status === 'paused') await pauseDeliveries(connection, endpoint.id, at);
    if (change.status === 'active') await releaseDeliveries(connection, changed, at, due);
    const { accountId } = endpoint;
    await makeReceiversDue(
      connection,
      [...due].map((host) => ({ accountId, host })),
      at,
    );
    return changed;
  });
}

/** @param due gets the hosts that have a delivery for the new URL. */
async function redirectDeliveries(
  connection: Queryable,
  webhookId: string,
  url: string,
  at: Date,
  due: Set<string>,
): Promise<void> {
  // A claim that was not begun is taken back: what it holds is a place at the former receiver.
  const { rows } = await connection.query(
    `WITH redirected AS (
       UPDATE delivery d
          SET url = $2, next_attempt_at = CASE WHEN d.lease_until IS NULL THEN d.next_attempt_at ELSE $3 END,
              lease_until = NULL
        WHERE d.webhook_id = $1 AND d.status IN ('pending', 'paused') AND d.url <> $2 AND NOT ${underWay('$3')}
       RETURNING d.host, d.status
     )
     SELECT DISTINCT host FROM redirected WHERE status = 'pending'`,
    [webhookId, url, at],
  );
  for (const { host } of rows) due.add(host);
}

async function releaseDeliveries(
  connection: Queryable,
  endpoint: StoredEndpoint,
  at: Date,
  due: Set<string>,
): Promise<void> {
  const { rows } = await connection.query(
    `WITH released AS (
       UPDATE delivery SET status = 'pending', url = $2, next_attempt_at = $3, lease_until = NULL
        WHERE webhook_id = $1 AND status = 'paused'
       RETURNING host
     )
     SELECT DISTINCT host FROM released`,
    [endpoint.id, endpoint.url, at],
  );
  for (const { host } of rows) due.add(host);
}
