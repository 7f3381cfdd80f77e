import type { CaptureType } from '@capture/contract/events/events';
import type { Queryable } from '../database.ts';

export interface NewCapture {
  id: string;
  accountId: string;
  type: CaptureType;
  url: string;
  /** As the client gave them, what is confided sealed. */
  options: Record<string, unknown>;
  webhookUrl: string | null;
  metadata: Record<string, string> | null;
  fingerprint: Buffer;
  /** `YYYY-MM`: whose quota is reserved. */
  month: string;
  /** The plan's; null is unlimited. */
  monthlyLimit: number | null;
}

/** The account's counters after the reservation. */
export interface Reservation {
  used: number;
  reserved: number;
  createdAt: Date;
}

/**
 * Reserves one unit of quota and inserts the capture, in one statement: there is no moment in which one is there
 * without the other, and `used + reserved` cannot pass the limit however many do this at once.
 *
 * @returns null if the quota is used up; then nothing was changed.
 */
export async function reserveCapture(database: Queryable, capture: NewCapture): Promise<Reservation | null> {
  const { rows } = await database.query({
    name: 'reserve-capture',
    text: `WITH reservation AS (
             INSERT INTO usage AS u (account_id, month, used, reserved)
             SELECT $2, $7, 0, 1 WHERE $8::int IS NULL OR $8 >= 1
             ON CONFLICT (account_id, month) DO UPDATE SET reserved = u.reserved + 1
               WHERE $8::int IS NULL OR u.used + u.reserved + 1 <= $8
             RETURNING used, reserved
           ), inserted AS (
             INSERT INTO capture (id, account_id, type, url, options, webhook_url, month, metadata, fingerprint,
                                  created_at)
             SELECT $1, $2, $3, $4, $5, $6, $7, $9, $10, now() FROM reservation
             RETURNING created_at
           )
           SELECT used, reserved, created_at AS "createdAt" FROM reservation, inserted`,
    values: [
      capture.id,
      capture.accountId,
      capture.type,
      capture.url,
      capture.options,
      capture.webhookUrl,
      capture.month,
      capture.monthlyLimit,
      capture.metadata,
      capture.fingerprint,
    ],
  });
  return rows[0] ?? null;
}
