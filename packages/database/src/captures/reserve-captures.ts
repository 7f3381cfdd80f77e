import type { Queryable } from '../database.ts';
import type { NewCapture, Reservation } from './reserve-capture.ts';

/**
 * Reserves a unit of quota for each of many captures, of whichever accounts, and inserts them, in one statement: for an
 * account all of its captures or none. It waits for nobody: an account whose counters somebody else is changing at this
 * moment is left out, so that one account's lock holds up no other's requests; so is one whose quota does not hold all of
 * its captures, or that has no counters of this month yet.
 *
 * @returns the reservations by the captures' ids, each as it stood when that capture had its unit. Of the others
 * `reserveCapture` knows more; for them nothing was changed.
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
             RETURNING id, created_at
           )
           SELECT i.id, r.used, inserted.created_at AS "createdAt",
                  r.reserved_before + (row_number() OVER (PARTITION BY i."accountId", i.month ORDER BY i.turn))::int
                    AS reserved
             FROM inserted JOIN item i USING (id)
             JOIN reservation r ON r.account_id = i."accountId" AND r.month = i.month`,
    values: [JSON.stringify(items)],
  });
  return new Map(rows.map(({ id, ...reservation }) => [id, reservation]));
}
