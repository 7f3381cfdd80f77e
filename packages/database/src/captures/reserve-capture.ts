import type { CaptureType } from '@capture/contract/events/events';
import type { Queryable } from '../database.ts';
import { noteWaiting } from './waiting-accounts.ts';

export interface NewCapture {
  id: string;
  accountId: string;
  type: CaptureType;
  url: string;
  /** The options as the client sent them, with secret options encrypted. */
  options: Record<string, unknown>;
  webhookUrl: string | null;
  metadata: Record<string, string> | null;
  fingerprint: Buffer;
  /** The month (`YYYY-MM`) whose quota is reserved. */
  month: string;
  /** The plan's limit; null is unlimited. */
  monthlyLimit: number | null;
}

/** The account's counters after the reservation. */
export interface Reservation {
  used: number;
  reserved: number;
  createdAt: Date;
}

/**
 * Reserves one unit of quota and inserts the capture, in one statement. Neither exists without the other, and `used + reserved`
 * cannot exceed the limit however many requests arrive at once.
 *
 * @returns null if the quota is used up; nothing was changed then.
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
             RETURNING account_id, created_at
           ), waiting AS (${noteWaiting('inserted')})
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

/** Reads the account's counters of a month; zeros if the account has no usage in that month. */
export async function readUsage(
  database: Queryable,
  { accountId, month }: Pick<NewCapture, 'accountId' | 'month'>,
): Promise<Pick<Reservation, 'used' | 'reserved'>> {
  const { rows } = await database.query('SELECT used, reserved FROM usage WHERE account_id = $1 AND month = $2', [
    accountId,
    month,
  ]);
  return rows[0] ?? { used: 0, reserved: 0 };
}

/**
 * Reserves a unit of quota for each of many captures of any accounts and inserts the captures, in one statement: all captures of
 * an account or none. The statement never waits for a lock. It leaves out an account whose usage row is locked, so that one
 * account's lock does not delay the requests of others. It also leaves out an account whose quota is too small for all its
 * captures, or that has no usage row for the month yet.
 *
 * @returns the reservations by capture id, each with the counts after that capture. The call changed nothing for captures that
 * are missing from the result; `reserveCapture` decides about those captures.
 */
export async function reserveCaptures(
  database: Queryable,
  captures: readonly NewCapture[],
): Promise<Map<string, Reservation>> {
  const items = captures.map((capture, turn) => ({
    ...capture,
    fingerprint: capture.fingerprint.toString('hex'),
    turn,
  }));
  const { rows } = await database.query<Reservation & { id: string }>({
    name: 'reserve-captures',
    text: `WITH item AS MATERIALIZED (
             SELECT * FROM jsonb_to_recordset($1::jsonb) AS item
                    (id text, "accountId" text, type text, url text, options jsonb, "webhookUrl" text, metadata jsonb,
                     fingerprint text, month char(7), "monthlyLimit" int, turn int)
           ), wanted AS MATERIALIZED (
             SELECT "accountId" AS account_id, month, min("monthlyLimit") AS monthly_limit, count(*)::int AS units
               FROM item GROUP BY "accountId", month
           ), free AS MATERIALIZED (
             SELECT u.account_id, u.month FROM usage u JOIN wanted USING (account_id, month)
                FOR UPDATE OF u SKIP LOCKED
           ), reservation AS (
             UPDATE usage u SET reserved = u.reserved + wanted.units
               FROM free JOIN wanted USING (account_id, month)
              WHERE u.account_id = free.account_id AND u.month = free.month
                AND (wanted.monthly_limit IS NULL OR u.used + u.reserved + wanted.units <= wanted.monthly_limit)
             RETURNING u.account_id, u.month, u.used, u.reserved - wanted.units AS reserved_before
           ), inserted AS (
             INSERT INTO capture (id, account_id, type, url, options, webhook_url, month, metadata, fingerprint,
                                  created_at)
             SELECT i.id, i."accountId", i.type, i.url, i.options, i."webhookUrl", i.month, i.metadata,
                    decode(i.fingerprint, 'hex'), now()
               FROM item i JOIN reservation r ON r.account_id = i."accountId" AND r.month = i.month
              ORDER BY i.turn
             RETURNING id, account_id, created_at
           ), waiting AS (${noteWaiting('inserted')})
           SELECT i.id, r.used, inserted.created_at AS "createdAt",
                  r.reserved_before + (row_number() OVER (PARTITION BY i."accountId", i.month ORDER BY i.turn))::int
                    AS reserved
             FROM inserted JOIN item i USING (id)
             JOIN reservation r ON r.account_id = i."accountId" AND r.month = i.month`,
    values: [JSON.stringify(items)],
  });
  return new Map(rows.map(({ id, ...reservation }) => [id, reservation]));
}
