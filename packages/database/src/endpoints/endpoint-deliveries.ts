import type { Queryable } from '../database.ts';
import { underWay } from '../deliveries/delivery-conditions.ts';
import type { StoredEndpoint } from './endpoints.ts';

/**
 * Holds back the open deliveries of an endpoint, in the transaction that took it out of use before. An attempt that is
 * under way is left to who records its outcome.
 */
export async function pauseDeliveries(connection: Queryable, webhookId: string, at: Date): Promise<void> {
  await connection.query(
    `UPDATE delivery d SET status = 'paused', lease_until = NULL, next_attempt_at = NULL
      WHERE d.webhook_id = $1 AND d.status = 'pending' AND NOT ${underWay('$2')}`,
    [webhookId, at],
  );
}

/** @param due gets the hosts that have a delivery for the new URL. */
export async function redirectDeliveries(
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

export async function releaseDeliveries(
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
