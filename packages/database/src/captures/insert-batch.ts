import type { CaptureType } from '@capture/contract/events/events';
import type { Queryable } from '../database.ts';
import type { Reservation } from './reserve-capture.ts';
import { noteWaiting } from './waiting-accounts.ts';

export interface NewBatch {
  id: string;
  accountId: string;
  webhookUrl: string | null;
  /** The month (`YYYY-MM`) whose quota is reserved. */
  month: string;
  /** The plan's limit; null is unlimited. */
  monthlyLimit: number | null;
  /** The items in the client's order. */
  items: readonly {
    id: string;
    type: CaptureType;
    url: string;
    /** The options as the client sent them, with secret options encrypted. */
    options: Record<string, unknown>;
    metadata: Record<string, string> | null;
    fingerprint: Buffer;
  }[];
}

/**
 * Reserves a unit of quota for every item and inserts the batch with all its items, in one statement.
 *
 * @returns null if the remaining quota is smaller than the batch; nothing was changed then.
 */
export async function insertBatch(database: Queryable, batch: NewBatch): Promise<Reservation | null> {
  const items = batch.items.map((item, index) => ({
    id: item.id,
    type: item.type,
    url: item.url,
    options: item.options,
    metadata: item.metadata,
    fingerprint: item.fingerprint.toString('hex'),
    index,
  }));
  const { rows } = await database.query<Reservation>({
    name: 'insert-batch',
    text: `WITH reservation AS (
             INSERT INTO usage AS u (account_id, month, used, reserved)
             SELECT $2, $4, 0, $6 WHERE $5::int IS NULL OR $6 <= $5
             ON CONFLICT (account_id, month) DO UPDATE SET reserved = u.reserved + $6
               WHERE $5::int IS NULL OR u.used + u.reserved + $6 <= $5
             RETURNING used, reserved
           ), inserted AS (
             INSERT INTO batch (id, account_id, total, webhook_url, created_at)
             SELECT $1, $2, $6, $3, now() FROM reservation
             RETURNING created_at
           ), captures AS (
             INSERT INTO capture (id, account_id, batch_id, batch_index, type, url, options, metadata, fingerprint,
                                  webhook_url, month, created_at)
             SELECT item.id, $2, $1, item.index, item.type, item.url, item.options, item.metadata,
                    decode(item.fingerprint, 'hex'), $3, $4, now()
               FROM reservation, jsonb_to_recordset($7::jsonb) AS item
                    (id text, index int, type text, url text, options jsonb, metadata jsonb, fingerprint text)
           ), waiting AS (${noteWaiting('(SELECT $2 AS account_id FROM reservation) AS own')})
           SELECT used, reserved, created_at AS "createdAt" FROM reservation, inserted`,
    values: [
      batch.id,
      batch.accountId,
      batch.webhookUrl,
      batch.month,
      batch.monthlyLimit,
      items.length,
      JSON.stringify(items),
    ],
  });
  return rows[0] ?? null;
}
