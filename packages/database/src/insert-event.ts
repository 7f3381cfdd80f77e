import type { SerialisedEvent } from '@capture/contract/events';
import type { Queryable } from './database.ts';
import { newId } from './ids.ts';

/**
 * Records an event and a delivery for its receiver, in the transaction that brought it about. An event that was recorded
 * before (the same batch's, at the same count) is left as it is.
 *
 * @returns how many deliveries are due now.
 */
export async function insertEvent(
  connection: Queryable,
  receiver: { accountId: string; webhookUrl: string | null },
  event: SerialisedEvent,
  of: { at: Date; captureId?: string; batchId?: string; count?: number },
): Promise<number> {
  if (receiver.webhookUrl === null) return 0;
  const { rowCount } = await connection.query({
    name: 'insert-event',
    text: `WITH event AS (
             INSERT INTO event (id, account_id, name, capture_id, batch_id, count, body, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
             ON CONFLICT DO NOTHING
             RETURNING id
           )
           INSERT INTO delivery (id, event_id, account_id, url, created_at, next_attempt_at)
           SELECT $9, id, $2, $10, $8, now() FROM event`,
    values: [
      newId('evt'),
      receiver.accountId,
      event.name,
      of.captureId ?? null,
      of.batchId ?? null,
      of.count ?? 0,
      event.body,
      of.at,
      newId('dlv'),
      receiver.webhookUrl,
    ],
  });
  return rowCount ?? 0;
}
