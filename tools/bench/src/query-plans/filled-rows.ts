/**
 * The statements that fill the growing tables. Each uses `generate_series` or an earlier table. Random values are hashes of the
 * row's number, so that two fills are alike. In statements that make batches and captures, $1 is the accounts' ids, the largest
 * first, $2 the number of captures, $3 the moment that is taken for now. In later statements $1 is that moment.
 */

/** SQL: a number from 0 to less than 1 that depends on a number or text. */
const share = (of: string, salt: number) =>
  `((hashtextextended((${of})::text, ${salt}) & 2147483647)::float8 / 2147483648)`;

/** The ten characters of an id that encode its time, from `ms`; the alphabet is Crockford's, as in a ULID. */
const timeOf = (ms: string) =>
  Array.from(
    { length: 10 },
    (_, i) => `substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + ((${ms} >> ${45 - 5 * i}) & 31)::int, 1)`,
  ).join(' || ');

/** SQL: an id like those of the platform: prefix, time, and 16 characters that look random. */
export const idOf = (prefix: string, ms: string, of: string) =>
  `'${prefix}_' || ${timeOf(ms)} || substr(md5('${prefix}' || ${of}), 1, 16)`;

/**
 * The account of capture `n`. A few accounts have most captures: the first of 2,000 has 13 %, the first hundred have 50 %. The
 * second has 10 %, none in the last 15 days, so a scan of the newest rows of all accounts finds none of its rows.
 */
const accountOf = (of: string, n: string) => `
  CASE WHEN (${n}) * 6.0 <= $2 * 5.0 AND ${share(of, 7)} < 0.12 THEN ($1::text[])[2]
       ELSE ($1::text[])[1 + coalesce(nullif(floor(cardinality($1::text[]) * ${share(of, 1)} ^ 4)::int, 1), 3)] END`;

/** Captures form blocks of a thousand, and the last 300 of each block are one batch. */
export const blockSize = 1_000;
const batchItems = 300;
const batchFrom = blockSize - batchItems;

/** The time of the request for capture `n` of $2: evenly over 90 days, which end an hour ago, before the open captures. */
const msAt = (n: string) =>
  `(extract(epoch FROM $3::timestamptz) * 1000 - 3600000 - 90 * 86400000::float8 * (1 - (${n})::float8 / $2))::bigint`;

const at = (ms: string) => `to_timestamp((${ms})::float8 / 1000)`;

/** The batches of captures $4 to $5. */
export const batches = `
  INSERT INTO batch (id, account_id, status, total, succeeded, failed, created_at, completed_at, last_fed_at)
  SELECT ${idOf('batch', 'ms', 'block')}, ${accountOf('block', `block * ${blockSize}`)}, 'completed', ${batchItems}, ${batchItems} - 9, 9,
         ${at('ms')}, ${at('ms')} + interval '1 minute', ${at('ms')} + interval '30 seconds'
    FROM (SELECT block, ${msAt(`block * ${blockSize} + ${batchFrom}`)} AS ms
            FROM generate_series(($4::int - 1) / ${blockSize}, $5::int / ${blockSize} - 1) AS block OFFSET 0) AS b`;

/**
 * Captures from $4 to $5 that have ended: 95 of 100 completed, 3 failed.
 *
 * @param fileDays how long files are kept, days.
 * @param released SQL: the files that expired before this time are gone.
 */
export const endedCaptures = (fileDays = 30, released = "$3::timestamptz - interval '20 minutes'") => `
  INSERT INTO capture (id, account_id, batch_id, batch_index, type, status, url, options, month, attempt, format, width,
                       height, file_size, duration_ms, fingerprint, cached, storage_key, expires_at, error_code,
                       error_message, receipt, created_at, enqueued_at, started_at, completed_at)
  SELECT id, account_id, batch_id, batch_index, CASE WHEN type = 'og_image' AND account_id = ($1::text[])[1] THEN 'pdf' ELSE type END,
         status, url,
         ('{"url":"' || url || '","width":1280,"height":720,"full_page":true,"format":"png","wait_until":"load",' ||
          '"block_ads":true,"timeout_ms":30000}')::jsonb,
         to_char(created_at, 'YYYY-MM'), 1, CASE WHEN completed THEN 'png' END, CASE WHEN completed THEN 1280 END,
         CASE WHEN completed THEN 720 + n % 5000 END, CASE WHEN completed THEN 40000 + n % 900000 END, 300 + n % 2000,
         decode(md5(url) || md5(url), 'hex'), cached, CASE WHEN completed AND expires_at > ${released}
           THEN to_char(created_at, 'YYYY-MM-DD') || '/' || right(id, 2) || '/' || id || '-1.png' END,
         CASE WHEN completed THEN expires_at END, CASE WHEN status = 'failed' THEN 'NAVIGATION_FAILED' END,
         CASE WHEN status = 'failed' THEN 'Could not navigate to the URL: its name could not be resolved.' END,
         CASE WHEN completed THEN
           ('{"final_url":"' || url || '","title":"Article number ' || n || '","status":200,"wait":"load","requests":' ||
            20 + n % 80 || ',"bytes":' || 500000 + n || ',"timings":{"navigation_ms":120,"waiting_ms":240,"capture_ms":80}}')::jsonb
         END,
         created_at, created_at + interval '100 milliseconds', created_at + interval '200 milliseconds',
         created_at + interval '1 second'
    FROM (
      SELECT n, ${idOf('req', 'ms', 'n')} AS id, ${at('ms')} AS created_at, ${at('ms')} + interval '${fileDays} days' AS expires_at,
             CASE WHEN item THEN ${accountOf(`(n - 1) / ${blockSize}`, `(n - 1) / ${blockSize} * ${blockSize}`)} ELSE ${accountOf('n', 'n')} END AS account_id,
             CASE WHEN item THEN ${idOf('batch', 'ms', `(n - 1) / ${blockSize}`)} END AS batch_id,
             CASE WHEN item THEN (n - 1) % ${blockSize} - ${batchFrom} END AS batch_index,
             CASE WHEN kind < 0.8 THEN 'screenshot' WHEN kind < 0.95 THEN 'pdf' ELSE 'og_image' END AS type,
             CASE WHEN came < 0.95 THEN 'completed' WHEN came < 0.98 THEN 'failed' ELSE 'cancelled' END AS status,
             came < 0.95 AS completed, came < 0.03 AND NOT item AS cached,
             'https://site-' || n % 5000 || '.example.com/articles/' || n || '?utm_source=newsletter' AS url
        FROM (SELECT n, item, CASE WHEN item THEN ${msAt(`(n - 1) / ${blockSize} * ${blockSize} + ${batchFrom}`)} ELSE ${msAt('n')} END AS ms,
                     ${share('n', 2)} AS came, ${share('n', 3)} AS kind
                FROM (SELECT n, (n - 1) % ${blockSize} >= ${batchFrom} AS item
                        FROM generate_series($4::int, $5::int) AS n) AS numbers OFFSET 0) AS timed OFFSET 0) AS made`;

/** The position of the first account with open captures. */
const openFrom = 100;
const openAccounts = 20;
/** The number of open captures of each of these accounts. */
const openOfEach = 200;

/**
 * Open captures of accounts that hold more than their plan allows, so that the captures stay open. Of each account, workers
 * with a valid lease render 15, 15 are in the queue, and the others wait, 100 of them as one batch. Of one account, some
 * captures have lost their worker or their entry in the queue.
 */
export const openBatches = `
  INSERT INTO batch (id, account_id, total, created_at)
  SELECT ${idOf('batch', 'ms', `'open' || place`)}, ($1::text[])[1 + ${openFrom} + place], ${openOfEach / 2}, ${at('ms')}
    FROM (SELECT place, (extract(epoch FROM $3::timestamptz) * 1000)::bigint - 600000 + 0 * $2::int AS ms
            FROM generate_series(0, ${openAccounts - 1}) AS place OFFSET 0) AS b`;

export const openCaptures = `
  INSERT INTO capture (id, account_id, batch_id, batch_index, type, status, url, options, month, attempt, lost_workers,
                       worker_id, lease_until, enqueued_at, fingerprint, created_at, started_at)
  SELECT ${idOf('req', 'ms', `'open' || place || ' ' || turn`)}, ($1::text[])[1 + ${openFrom} + place],
         CASE WHEN turn >= ${openOfEach / 2} THEN ${idOf('batch', 'batch_ms', `'open' || place`)} END,
         CASE WHEN turn >= ${openOfEach / 2} THEN turn - ${openOfEach / 2} END, 'screenshot',
         CASE WHEN turn < 15 THEN 'processing' ELSE 'queued' END, 'https://example.com/open/' || turn,
         '{"url":"https://example.com/open","width":1280,"height":720}', to_char($3::timestamptz, 'YYYY-MM'),
         CASE WHEN turn < 15 THEN 1 ELSE 0 END, CASE WHEN place = 0 AND turn < 5 THEN 2 ELSE 0 END,
         CASE WHEN turn < 15 THEN 'filled-' || turn % 8 END,
         CASE WHEN turn < 15 THEN $3::timestamptz + CASE WHEN place = 0 THEN interval '-1 minute' ELSE interval '1 day' END END,
         CASE WHEN turn < 30 THEN $3::timestamptz + CASE WHEN place = 0 THEN interval '-1 minute' ELSE interval '1 day' END END,
         sha256(turn::text::bytea), ${at('ms')}, CASE WHEN turn < 15 THEN $3::timestamptz END
    FROM (SELECT place, turn, batch_ms, batch_ms + turn AS ms
            FROM generate_series(0, ${openAccounts - 1}) AS place, generate_series(0, ${openOfEach - 1}) AS turn,
                 (SELECT (extract(epoch FROM $3::timestamptz) * 1000)::bigint - 600000 + 0 * $2::int AS batch_ms) AS b OFFSET 0) AS o`;

/** Workers of a large deployment, alive for the time of a run. Without their pages nothing more would go into the queue. */
export const workers = `
  INSERT INTO worker (id, pages, heartbeat_at)
  SELECT 'filled-' || n, 64, now() + interval '1 day' FROM generate_series(0, 7) AS n`;

/** The used and reserved quota, computed from the captures. */
export const usage = `
  INSERT INTO usage (account_id, month, used, reserved)
  SELECT account_id, month, count(*) FILTER (WHERE status = 'completed' AND NOT cached),
         count(*) FILTER (WHERE status IN ('queued', 'processing'))
    FROM capture GROUP BY 1, 2`;

/** Matches events of the last 30 days, because older logs are removed, and slightly older events for the next cleanup job. */
export const logged = `created_at > $1::timestamptz - interval '30 days' - make_interval(secs => 3000 * 90 * 86400.0 / $2::int)`;

/** @param which SQL that selects captures. */
export const captureEvents = (which = logged) => `
  INSERT INTO event (id, account_id, name, capture_id, body, created_at)
  SELECT 'evt' || substr(id, 4), account_id, 'capture.' || status, id,
         convert_to('{"event":"capture.' || status || '","request_id":"' || id || '","url":"' || url || '","type":"' || type ||
                    '","format":"png","width":1280,"height":720,"file_size":123456,"file_url":"https://captures.example.com/files/' ||
                    id || '.png?expires=1800000000&signature=0123456789abcdef0123456789abcdef"}', 'UTF8'), completed_at
    FROM capture WHERE ${which} AND status IN ('completed', 'failed')`;

/** @param which SQL that selects batches. */
export const batchEvents = (which = logged) => `
  INSERT INTO event (id, account_id, name, batch_id, count, body, created_at)
  SELECT 'evt' || substr(left(id, -3), 6) || lpad(count::text, 3, '0'), account_id,
         CASE WHEN count = 0 THEN 'batch.completed' ELSE 'batch.progress' END, id, count,
         convert_to('{"event":"batch","batch_id":"' || id || '","processed":' || count || '}', 'UTF8'), completed_at
    FROM batch, generate_series(0, total, 10) AS count WHERE ${which} AND status = 'completed'`;

/**
 * A delivery of each event: seven of ten to a registered endpoint, the others to the URL of the request. 96 of 100 arrived.
 * Some of the last hours are tried again later. Those of the first account, whose receiver is there, are due now.
 *
 * @param which SQL that selects events `e`.
 */
export const deliveries = (which = 'true') => `
  WITH endpoints AS (
    SELECT account_id, array_agg(id) AS ids, array_agg(url) AS urls, array_agg(status) AS statuses
      FROM webhook_endpoint GROUP BY 1
  )
  INSERT INTO delivery (id, event_id, account_id, webhook_id, url, status, attempt, begun_attempt, attempt_count, retries_used,
                        next_attempt_at, last_status, last_error, created_at, completed_at)
  SELECT 'dlv' || substr(id, 4), id, account_id, webhook_id, url, status, tries, tries, tries, tries - 1,
         CASE WHEN status = 'pending' THEN
           $1::timestamptz + CASE WHEN account_id = $3 THEN -interval '1 minute' ELSE interval '1 hour' * (1 + 4 * place) END END,
         CASE WHEN status = 'delivered' THEN 200 ELSE 503 END, CASE WHEN status <> 'delivered' THEN 'http_5xx' END,
         created_at, CASE WHEN status IN ('delivered', 'failed') THEN created_at + interval '1 second' END
    FROM (
      SELECT *, CASE status WHEN 'failed' THEN 6 WHEN 'pending' THEN 2 WHEN 'paused' THEN 0
                            ELSE CASE WHEN place < 0.05 THEN 2 ELSE 1 END END AS tries
        FROM (
          SELECT e.id, e.account_id, e.created_at, place, registered.id AS webhook_id,
                 coalesce(registered.url, urls[1]) AS url,
                 CASE WHEN registered.status = 'paused' AND e.created_at > $1::timestamptz - interval '1 day' THEN 'paused'
                      WHEN place >= 0.7 AND e.created_at > $1::timestamptz - interval '8 hours' THEN 'pending'
                      WHEN place < 0.96 OR e.created_at > $1::timestamptz - interval '8 hours' THEN 'delivered'
                      ELSE 'failed' END AS status
            FROM (SELECT e.*, ${share('e.id', 4)} AS place, ${share('e.id', 5)} AS turn FROM event e WHERE ${which}) AS e
            JOIN endpoints USING (account_id)
           CROSS JOIN LATERAL (
             SELECT ids[i] AS id, urls[i] AS url, statuses[i] AS status
               FROM (SELECT CASE WHEN turn < 0.7 THEN 1 + floor(turn / 0.7 * cardinality(ids))::int END AS i)) AS registered
           WHERE $2::int > 0) AS decided) AS d`;

/** @param which SQL that selects deliveries `d`. */
export const attempts = (which = 'true') => `
  INSERT INTO delivery_attempt (delivery_id, number, trigger, started_at, duration_ms, status, error, response_excerpt)
  SELECT d.id, n, 'schedule', d.created_at + make_interval(secs => (n - 1) * 30), 80,
         CASE WHEN n = d.attempt_count AND d.status = 'delivered' THEN 200 ELSE 503 END,
         CASE WHEN n = d.attempt_count AND d.status = 'delivered' THEN NULL ELSE 'http_5xx' END,
         CASE WHEN n = d.attempt_count AND d.status = 'delivered' THEN 'ok' ELSE 'Service Unavailable' END
    FROM delivery d, generate_series(1, d.attempt_count) AS n WHERE ${which}`;

export const receivers = `
  INSERT INTO receiver (account_id, host, next_due_at, prompt)
  SELECT account_id, host, min(next_attempt_at) FILTER (WHERE status = 'pending'), true FROM delivery GROUP BY 1, 2`;

/** Stored responses of a day, of every second capture. Some have expired. */
export const responses = `
  INSERT INTO idempotency (account_id, key, fingerprint, capture_id, created_at)
  SELECT account_id, 'key-' || id, fingerprint, id, created_at FROM capture
   WHERE created_at > $1::timestamptz - interval '25 hours' AND batch_id IS NULL AND ${share('id', 6)} < 0.5`;

/** Two sessions of each valid key, and as many that are over and not yet removed. */
export const sessions = `
  INSERT INTO session (id, key_id, created_at, expires_at)
  SELECT 'ses' || substr(left(id, -2), 4) || n, id, $1::timestamptz - interval '1 hour',
         $1::timestamptz + CASE WHEN n < 12 THEN interval '11 hours' ELSE -interval '1 minute' END
    FROM api_key, generate_series(10, 13) AS n WHERE expires_at IS NULL`;

/** Five sign-in links of each account within 28 hours, all sent. The last link is too old to count for the limit. */
export const signInLinks = `
  INSERT INTO sign_in_link (id, email, account_id, requested_at, tries, token_hash, expires_at)
  SELECT 'lnk' || substr(left(id, -2), 4) || n, email, id, $1::timestamptz - make_interval(hours => (n - 10) * 7), 1,
         sha256((id || n)::bytea), $1::timestamptz
    FROM account, generate_series(10, 14) AS n`;

/** The counts of links' renders for yesterday and today. */
export const linkBounds = `
  INSERT INTO link_bound (account_id, day, subject, renders)
  SELECT DISTINCT account_id, created_at::date, 'link ' || encode(fingerprint, 'hex'), 1 FROM capture
   WHERE created_at > $1::timestamptz - interval '1 day' AND fingerprint IS NOT NULL AND ${share('id', 7)} < 0.2`;

/** The renders of links within two days. */
export const linkRenders = `
  INSERT INTO link_render (account_id, fingerprint, capture_id, started_at)
  SELECT DISTINCT ON (account_id, fingerprint) account_id, fingerprint, id, created_at FROM capture
   WHERE created_at > $1::timestamptz - interval '2 days' AND fingerprint IS NOT NULL AND ${share('id', 6)} < 0.5`;
