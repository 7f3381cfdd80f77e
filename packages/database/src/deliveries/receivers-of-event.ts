import type { ContractForm } from '@capture/contract/forms/forms';
import type { Queryable } from '../database.ts';

/** Where an event goes. */
export interface EventReceiver {
  /** The registered endpoint; null for the URL of a request. */
  webhookId: string | null;
  url: string;
  /** A paused endpoint gets its deliveries when it is set active again. */
  paused: boolean;
}

/**
 * Who gets an event of a request: the URL that came with it, and the account's endpoints that subscribed to it. Those
 * are locked until the transaction's end against being paused or deleted, so that no delivery slips past that.
 */
export async function receiversOfEvent(
  connection: Queryable,
  form: ContractForm,
  request: { accountId: string; webhookUrl: string | null },
  event: string,
): Promise<EventReceiver[]> {
  const own = request.webhookUrl === null ? [] : [{ webhookId: null, url: request.webhookUrl, paused: false }];
  if (!form.webhooks.registration) return own;
  const { rows } = await connection.query<EventReceiver>({
    name: 'receivers-of-event',
    text: `SELECT id AS "webhookId", url, status <> 'active' AS paused FROM webhook_endpoint
            WHERE account_id = $1 AND $2 = ANY(events) ORDER BY id FOR SHARE`,
    values: [request.accountId, event],
  });
  return [...own, ...rows];
}
