import type { SerialisedEvent } from '@capture/contract/events/events';
import type { ContractForm, EventName } from '@capture/contract/forms/forms';
import type { Queryable } from '../database.ts';
import { newId } from '../ids.ts';
import type { ReceiverKey } from './receivers.ts';

export interface EventReceiver {
  /** The registered endpoint; null if the URL comes from a request. */
  webhookId: string | null;
  url: string;
  /** Whether the endpoint is paused or disabled: its deliveries are held until it is resumed. */
  paused: boolean;
}

/**
 * Finds the receivers of an event: the URL of the request, and the account's endpoints that subscribed to the event. An event
 * that the profile does not have has no receivers. Locks the endpoints until the end of the transaction, so that no endpoint is
 * paused or deleted while its delivery is inserted.
 */
export async function receiversOfEvent(
  connection: Queryable,
  form: ContractForm,
  request: { accountId: string; webhookUrl: string | null },
  event: EventName,
): Promise<EventReceiver[]> {
  if (!form.events.names.includes(event)) return [];
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

/**
 * Inserts an event and a delivery for each receiver, in the transaction that caused the event. An event that already exists (of
 * the same batch at the same count) is not inserted again.
 *
 * @returns the receiver of each delivery that is due now. The transaction must end by making these receivers due
 * (`makeReceiversDue`).
 */
export async function insertEvent(
  connection: Queryable,
  accountId: string,
  receivers: readonly EventReceiver[],
  event: SerialisedEvent,
  of: { at: Date; captureId?: string; batchId?: string; count?: number },
): Promise<ReceiverKey[]> {
  if (receivers.length === 0) return [];
  const { rows } = await connection.query<{ host: string; due: boolean }>({
    name: 'insert-event',
    // The earlier time wins, so that a clock that is ahead does not delay a delivery.
    text: `WITH event AS (
             INSERT INTO event (id, account_id, name, capture_id, batch_id, count, body, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
             ON CONFLICT DO NOTHING
             RETURNING id
           )
           INSERT INTO delivery (id, event_id, account_id, webhook_id, url, created_at, status, next_attempt_at)
           SELECT r.id, event.id, $2, r.webhook_id, r.url, $8, CASE WHEN r.paused THEN 'paused' ELSE 'pending' END,
                  CASE WHEN r.paused THEN NULL ELSE least(now(), $8) END
             FROM event, unnest($9::text[], $10::text[], $11::text[], $12::bool[]) AS r (id, webhook_id, url, paused)
        RETURNING host, status = 'pending' AS due`,
    values: [
      newId('evt', of.at),
      accountId,
      event.name,
      of.captureId ?? null,
      of.batchId ?? null,
      of.count ?? 0,
      event.body,
      of.at,
      receivers.map(() => newId('dlv', of.at)),
      receivers.map(({ webhookId }) => webhookId),
      receivers.map(({ url }) => url),
      receivers.map(({ paused }) => paused),
    ],
  });
  return rows.filter(({ due }) => due).map(({ host }) => ({ accountId, host }));
}
