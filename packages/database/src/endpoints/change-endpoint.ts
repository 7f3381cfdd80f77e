import type pg from 'pg';
import { transaction } from '../database.ts';
import { followEndpoint, noteBacklog } from './endpoint-deliveries.ts';
import type { StoredEndpoint } from './endpoints.ts';

export interface EndpointChange {
  url?: string | undefined;
  events?: readonly string[] | undefined;
  status?: 'active' | 'paused' | undefined;
}

/**
 * Changes an endpoint, then its open deliveries: they go to the new URL, are held while the endpoint is paused, and become due
 * when it is resumed. If there are many, a cleanup job finishes the change.
 *
 * @param at the current time; by default the time of the database.
 * @returns null if the account has no such endpoint.
 */
export async function changeEndpoint(
  pool: pg.Pool,
  endpoint: { id: string; accountId: string },
  change: EndpointChange,
  at: Date | null = null,
): Promise<StoredEndpoint | null> {
  const follows = change.url !== undefined || change.status !== undefined;
  const endpointNow = await transaction(pool, async (connection) => {
    const { rows } = await connection.query<StoredEndpoint>(
      // The count of failing days belongs to the previous URL or ends when the endpoint is resumed, so it starts again.
      `UPDATE webhook_endpoint
          SET url = coalesce($3, url), events = coalesce($4, events), status = coalesce($5, status),
              disabled_reason = CASE WHEN $5::text IS NULL THEN disabled_reason END,
              failing_since = CASE WHEN coalesce($3, url) = url AND coalesce($5, '') IN ('', status) THEN failing_since END
        WHERE id = $1 AND account_id = $2
    RETURNING id, url, events, status, disabled_reason AS "disabledReason",
              failing_since AS "failingSince", created_at AS "createdAt"`,
      [endpoint.id, endpoint.accountId, change.url ?? null, change.events ?? null, change.status ?? null],
    );
    const [changed] = rows;
    if (!changed) return null;
    if (follows) await noteBacklog(connection, endpoint.id);
    return changed;
  });
  if (endpointNow && follows) await followEndpoint(pool, endpoint.id, { at });
  return endpointNow;
}
