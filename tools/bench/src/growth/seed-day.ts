import type { Queryable } from '@capture/database/database';
import { idOf } from '../query-plans/filled-rows.ts';

/** One of so many captures has an event with a delivery. */
export const capturesOfDelivery = 3;

/** One of so many deliveries is held by a paused endpoint. */
const deliveriesOfHeld = 1_000;

/** How long files are kept, days: as of most plans. */
const fileDays = 30;

const at = (ms: string) => `to_timestamp((${ms})::float8 / 1000)`;

/** SQL: the rows of a day: $1 its first millisecond, $2 the captures, $3 the account. */
const captures = `
  INSERT INTO capture (id, account_id, type, status, url, options, month, attempt, format, width, height, file_size,
                       duration_ms, fingerprint, storage_key, expires_at, receipt, created_at, started_at, completed_at)
  SELECT ${idOf('req', 'ms', 'ms || n::text')}, $3, 'screenshot', 'completed', 'https://example.com/' || md5(n::text),
         ('{"url":"https://example.com/' || md5(n::text) || '","full_page":true,"format":"png","block_ads":true}')::jsonb,
         to_char(${at('ms')}, 'YYYY-MM'), 1, 'png', 1280, 720, 40000, 900, decode(md5(n::text), 'hex'),
         'file/' || ms || '-' || n, ${at('ms')} + interval '${fileDays} days',
         '{"timings":{"queued_ms":12,"load_ms":640,"render_ms":210},"redirects":[],"blocked":{"ads":7}}',
         ${at('ms')}, ${at('ms')}, ${at('ms')}
    FROM (SELECT n, ($1::float8 + n * 86400000.0 / $2)::bigint AS ms FROM generate_series(0, $2::int - 1) n) AS c`;

const deliveries = `
  WITH made AS (
    SELECT n, ($1::float8 + n * 86400000.0 / $2)::bigint AS ms FROM generate_series(0, $2::int - 1, ${capturesOfDelivery}) n
  ), events AS (
    INSERT INTO event (id, account_id, name, capture_id, body, created_at)
    SELECT ${idOf('evt', 'ms', 'ms || n::text')}, $3, 'capture.completed', ${idOf('req', 'ms', 'ms || n::text')},
           convert_to('{"event":"capture.completed","data":{"request_id":"' || n || '","file_url":"' || repeat('x', 300) || '"}}', 'UTF8'),
           ${at('ms')} FROM made
  ), attempts AS (
    INSERT INTO delivery_attempt (delivery_id, number, trigger, started_at, duration_ms, status, response_excerpt)
    SELECT ${idOf('dlv', 'ms', 'ms || n::text')}, 1, 'schedule', ${at('ms')}, 80, 200, 'ok' FROM made
  )
  INSERT INTO delivery (id, event_id, account_id, url, status, attempt, begun_attempt, attempt_count, created_at, completed_at)
  SELECT ${idOf('dlv', 'ms', 'ms || n::text')}, ${idOf('evt', 'ms', 'ms || n::text')}, $3, 'https://hooks.example.com/',
         CASE WHEN held THEN 'paused' ELSE 'delivered' END, 1, 1, 1, ${at('ms')}, CASE WHEN NOT held THEN ${at('ms')} END
    FROM (SELECT n, ms, n % ${capturesOfDelivery * deliveriesOfHeld} = 0 AS held FROM made) AS d`;

/** Inserts what a platform has after a day of so many captures. */
export async function seedDay(
  database: Queryable,
  { day, count, accountId }: { day: Date; count: number; accountId: string },
): Promise<void> {
  await database.query(captures, [day.getTime(), count, accountId]);
  await database.query(deliveries, [day.getTime(), count, accountId]);
}
