import type pg from 'pg';
import { transaction } from '../database.ts';
import { makeReceiversDue } from '../deliveries/receivers.ts';
import { pauseDeliveries, redirectDeliveries, releaseDeliveries } from './endpoint-deliveries.ts';
import type { StoredEndpoint } from './endpoints.ts';

export interface EndpointChange {
  url?: string | undefined;
  events?: readonly string[] | undefined;
  status?: 'active' | 'paused' | undefined;
}

/**
 * Changes an endpoint and its open deliveries: they go to the new URL, are held while it is paused, and are due when it is
 * resumed. An attempt in progress is left to the transaction that records its outcome.
 *
 * Lock order: endpoint, deliveries, receivers; the same as inserting events.
 *
 * @param at the time; by default that of the database.
 * @returns null if the account has no such endpoint.
 */
export async function changeEndpoint(
  pool: pg.Pool,
  endpoint: { id: string; accountId: string },
  change: EndpointChange,
  at: Date | null = null,
): Promise<StoredEndpoint | null> {
  return transaction(pool, async (connection) => {
    const { rows } = await connection.query<StoredEndpoint>(
      // The days of failing belong to the previous URL or end with the resumption: they start again.
      `UPDATE webhook_endpoint
          SET url = coalesce($3, url), events = coalesce($4, events), status = coalesce($5, status),
              disabled_reason = CASE WHEN $5::text IS NULL THEN disabled_reason END,
              failing_since = CASE WHEN coalesce($3, url) = url AND coalesce($5, '') IN ('', status) THEN failing_since END
        WHERE id = $1 AND account_id = $2
    RETURNING id, url, events, status, disabled_reason AS "disabledReason", created_at AS "createdAt"`,
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
