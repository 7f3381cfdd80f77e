import pg from 'pg';
import type { Platform } from './platform.ts';

/** The number of accounts, which makes an index on the account useful. */
const accountCount = 20;

/** Rows per statement. A statement takes a few seconds. */
const rowsAtOnce = 100_000;

/**
 * Fills the database with captures that ended in the last three months, with rows as large as real rows. One in ten has a
 * delivered event. The files have expired.
 *
 * @returns the ids of their accounts.
 */
export async function seedCaptures(platform: Platform, count: number): Promise<string[]> {
  const accounts = await Promise.all(Array.from({ length: accountCount }, () => platform.newAccount()));
  // Statements of the pool time out after 15 s.
  const client = new pg.Client({ connectionString: platform.databaseUrl });
  await client.connect();
  try {
    for (let from = 0; from < count; from += rowsAtOnce) {
      const values = [accounts, from, Math.min(count, from + rowsAtOnce) - 1, count];
      await client.query(captures, values);
      await client.query(events, values.slice(0, 3));
    }
    await client.query(deliveries);
    await client.query('ANALYZE');
    // A vacuum during the case would disturb the case.
    await client.query('VACUUM capture');
  } finally {
    await client.end();
  }
  return accounts;
}

/** The ids are as sortable and as long as real ids. */
const idOf = (prefix: string) => `'${prefix}_00fill' || lpad(n::text, 20, '0')`;

const captures = `
  INSERT INTO capture (id, account_id, type, status, url, options, month, attempt, format, width, height, file_size,
                       duration_ms, fingerprint, receipt, created_at, started_at, completed_at)
  SELECT ${idOf('req')}, ($1::text[])[1 + n % ${accountCount}], 'screenshot', 'completed',
         'https://example.com/articles/' || n || '?utm_source=newsletter&page=' || n % 100,
         jsonb_build_object('url', 'https://example.com/articles/' || n, 'width', 1280, 'height', 720, 'full_page', true,
                            'format', 'png', 'wait_until', 'load', 'block_ads', true, 'timeout_ms', 30000),
         to_char(at, 'YYYY-MM'), 1, 'png', 1280, 720 + n % 5000, 40000 + n % 900000, 300 + n % 2000,
         sha256(n::text::bytea),
         jsonb_build_object('final_url', 'https://example.com/articles/' || n, 'title', 'Article number ' || n,
                            'requests', 20 + n % 80, 'bytes', 500000 + n, 'status', 200),
         at, at + interval '1 second', at + interval '2 seconds'
    FROM (SELECT n, now() - interval '90 days' * (1 - n::float / $4) - interval '1 minute' AS at
            FROM generate_series($2::int, $3::int) n) AS numbers`;

const events = `
  INSERT INTO event (id, account_id, name, capture_id, body, created_at)
  SELECT ${idOf('evt')}, ($1::text[])[1 + n % ${accountCount}], 'capture.completed', ${idOf('req')},
         convert_to('{"event":"capture.completed","request_id":"' || n || '"}', 'UTF8'), now() - interval '1 day'
    FROM generate_series($2::int, $3::int) n WHERE n % 10 = 0`;

const deliveries = `
  WITH delivered AS (
    INSERT INTO delivery (id, event_id, account_id, url, status, attempt, begun_attempt, attempt_count, last_status,
                          created_at, completed_at)
    SELECT 'dlv' || substr(id, 4), id, account_id, 'https://hooks.example.com/', 'delivered', 1, 1, 1, 200, created_at,
           created_at
      FROM event WHERE id ^@ 'evt_00fill' RETURNING id, created_at
  )
  INSERT INTO delivery_attempt (delivery_id, number, trigger, started_at, duration_ms, status)
  SELECT id, 1, 'schedule', created_at, 80, 200 FROM delivered`;
