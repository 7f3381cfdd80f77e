import type { Queryable } from '../database.ts';
import { inProgress, timeOf } from '../deliveries/delivery-conditions.ts';
import type { StoredEndpoint } from './endpoints.ts';

/**
 * Pauses the open deliveries of an endpoint, after the statement that paused or disabled it in the same transaction. An
 * attempt in progress is left to the transaction that records its outcome.
 */
export async function pauseDeliveries(connection: Queryable, webhookId: string, at: Date | null): Promise<void> {
  await connection.query(
    `UPDATE delivery d SET status = 'paused', lease_until = NULL, next_attempt_at = NULL
      WHERE d.webhook_id = $1 AND d.status = 'pending' AND NOT ${inProgress('$2')}`,
    [webhookId, at],
  );
}

/** Sends open deliveries to a new URL. @param due receives the hosts that have a delivery due. */
export async function redirectDeliveries(
  connection: Queryable,
  webhookId: string,
  url: string,
  at: Date | null,
  due: Set<string>,
): Promise<void> {
  // Cancels claims that have not begun: their slot is one of the previous receiver.
  const { rows } = await connection.query(
    `WITH redirected AS (
       UPDATE delivery d
          SET url = $2, next_attempt_at = CASE WHEN d.lease_until IS NULL THEN d.next_attempt_at ELSE ${timeOf('$3')} END,
              lease_until = NULL
        WHERE d.webhook_id = $1 AND d.status IN ('pending', 'paused') AND d.url <> $2 AND NOT ${inProgress('$3')}
       RETURNING d.host, d.status
     )
     SELECT DISTINCT host FROM redirected WHERE status = 'pending'`,
    [webhookId, url, at],
  );
  for (const { host } of rows) due.add(host);
}

/** Makes the paused deliveries of a resumed endpoint due. @param due receives their hosts. */
export async function releaseDeliveries(
  connection: Queryable,
  endpoint: StoredEndpoint,
  at: Date | null,
  due: Set<string>,
): Promise<void> {
  const { rows } = await connection.query(
    `WITH released AS (
       UPDATE delivery SET status = 'pending', url = $2, next_attempt_at = ${timeOf('$3')}, lease_until = NULL
        WHERE webhook_id = $1 AND status = 'paused'
       RETURNING host
     )
     SELECT DISTINCT host FROM released`,
    [endpoint.id, endpoint.url, at],
  );
  for (const { host } of rows) due.add(host);
}
