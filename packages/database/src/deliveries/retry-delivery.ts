import type { Queryable } from '../database.ts';
import { inProgress, timeOf } from './delivery-conditions.ts';
import { makeReceiversDue } from './receivers.ts';

/**
 * `after the attempt`: an attempt is in progress, and if it fails, the retry follows at once. `asked before`: an earlier request
 * has already made the delivery due or asked for this retry.
 */
export type Retry =
  | { outcome: 'now' | 'after the attempt' | 'asked before' | 'not found' }
  /** The delivery's registered endpoint does not receive deliveries. */
  | { outcome: 'refused'; endpoint: 'paused' | 'disabled' | 'deleted' };

/**
 * Makes a delivery due now, whatever its status, with a fresh schedule that replaces a scheduled retry. If an attempt is in
 * progress, the delivery is only marked to be retried at once if that attempt fails. Nothing changes while an earlier requested
 * retry still waits, so a client that repeats its request neither postpones nor cancels the attempt.
 *
 * Lock order: endpoint, delivery, receiver.
 *
 * @param connection of a transaction.
 * @param delivery.accountId the account that must own the delivery; null for the operator.
 */
export async function retryDelivery(
  connection: Queryable,
  delivery: { id: string; accountId: string | null },
  at: Date | null = null,
): Promise<Retry> {
  const found = await connection.query(
    'SELECT webhook_id AS "webhookId" FROM delivery WHERE id = $1 AND ($2::text IS NULL OR account_id = $2)',
    [delivery.id, delivery.accountId],
  );
  if (!found.rows[0]) return { outcome: 'not found' };
  const { webhookId } = found.rows[0];
  let url: string | null = null;
  if (webhookId !== null) {
    const { rows } = await connection.query('SELECT url, status FROM webhook_endpoint WHERE id = $1 FOR SHARE', [
      webhookId,
    ]);
    const [endpoint] = rows;
    if (endpoint?.status !== 'active') return { outcome: 'refused', endpoint: endpoint?.status ?? 'deleted' };
    url = endpoint.url;
  }
  const { rows } = await connection.query({
    name: 'retry-delivery',
    // Each CASE reads the row once it is locked, so either before the attempt began or after its outcome was recorded.
    text: `UPDATE delivery d
              SET retry_asked = ${inProgress('$2')},
                  url = CASE WHEN ${inProgress('$2')} THEN d.url ELSE coalesce($3, d.url) END,
                  next_attempt_at = CASE WHEN ${inProgress('$2')} THEN d.next_attempt_at ELSE ${timeOf('$2')} END,
                  lease_until = CASE WHEN ${inProgress('$2')} THEN d.lease_until END,
                  retries_used = CASE WHEN ${inProgress('$2')} THEN d.retries_used ELSE 0 END,
                  next_trigger = CASE WHEN ${inProgress('$2')} THEN d.next_trigger ELSE 'manual' END,
                  status = 'pending', completed_at = NULL
            WHERE d.id = $1 AND NOT ${wasAsked('$2', '$3')}
        RETURNING d.account_id AS "accountId", d.host, d.retry_asked AS "retryAsked"`,
    values: [delivery.id, at, url],
  });
  const [retried] = rows;
  if (!retried) return { outcome: 'asked before' };
  if (retried.retryAsked) return { outcome: 'after the attempt' };
  await makeReceiversDue(connection, [retried], at);
  return { outcome: 'now' };
}

/**
 * SQL: whether a requested retry of a delivery `d` already waits, claimed or not.
 *
 * @param at see `timeOf`.
 * @param url the endpoint's URL; a claim for another URL is cancelled.
 */
const wasAsked = (at: string, url: string) => `
  CASE WHEN ${inProgress(at)} THEN d.retry_asked
       ELSE d.status = 'pending' AND d.next_trigger = 'manual' AND d.retries_used = 0 AND d.url = coalesce(${url}, d.url)
            AND CASE WHEN d.lease_until IS NULL THEN d.next_attempt_at <= ${timeOf(at)} ELSE d.lease_until > ${timeOf(at)} END
  END`;
