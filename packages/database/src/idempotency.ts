import { captureErrorCodes, errorStatus } from '@capture/contract/errors';
import type pg from 'pg';
import { type Queryable, transaction } from './database.ts';
import { inSlices } from './in-slices.ts';

/** How long a key is kept: 24 h, as the contract says. */
const idempotencyTtlS = 86_400;

/** A synchronous capture with one of these errors returns a 5xx response, which is not stored: the next request tries again. */
const serverErrors = captureErrorCodes.filter((code) => errorStatus[code] >= 500);

export interface IdempotentRequest {
  accountId: string;
  /** The client's `Idempotency-Key`. */
  key: string;
  /** A hash of the request; a different request under the same key is refused. */
  fingerprint: Buffer;
  /** The hash under the previous `SECRET_KEY`, while the key is being rotated. */
  previousFingerprint?: Buffer | null;
}

/** The response to a request: the outcome of a capture, or the body of an acceptance. */
export interface StoredResponse {
  captureId: string | null;
  body: object | null;
}

export type IdempotencyResult = { outcome: 'created' | 'replayed'; response: StoredResponse } | { outcome: 'conflict' };

/**
 * Runs `create` once for a key, however many requests with the key arrive at once. The first request runs it, and the response is
 * stored in the same transaction. If `create` fails, returns a 5xx response, or its process dies, nothing is stored and the next
 * request runs it.
 *
 * @param create must write only on the connection that it gets.
 * @returns null while another request with the key is in progress. The caller should try again later, because waiting here would
 * hold a connection.
 */
export async function runIdempotently(
  pool: pg.Pool,
  request: IdempotentRequest,
  create: (connection: Queryable) => Promise<StoredResponse>,
): Promise<IdempotencyResult | null> {
  return transaction(pool, async (connection) => {
    if (!(await lockKey(connection, request))) return null;
    const stored = await findResponse(connection, request);
    if (stored) return stored;
    const response = await create(connection);
    await connection.query(
      `INSERT INTO idempotency (account_id, key, fingerprint, capture_id, answer, created_at)
       VALUES ($1, $2, $3, $4, $5, now())
       ON CONFLICT (account_id, key) DO UPDATE
         SET fingerprint = excluded.fingerprint, capture_id = excluded.capture_id, answer = excluded.answer,
             progress = NULL, created_at = excluded.created_at`,
      [request.accountId, request.key, request.fingerprint, response.captureId, response.body],
    );
    return { outcome: 'created', response };
  });
}

/** The result of one slice of work that takes many transactions. */
export interface Slice<Progress> {
  /** Where the next slice continues. */
  progress: Progress;
  /** The response to the whole request; null if work is left. */
  response: StoredResponse | null;
}

/**
 * Runs one slice of work that takes many transactions, and stores the progress in the same transaction. After a process is lost,
 * a repeated request with the key continues there, and its response covers all of the work. Requests with the key at several
 * gateways take turns.
 *
 * @param first the progress at the start of the work.
 * @param run must write only on the connection that it gets.
 * @returns `more` if work is left; null while another request with the key runs a slice, in which case the caller should try
 * again.
 */
export async function runSliceIdempotently<Progress extends object>(
  pool: pg.Pool,
  request: IdempotentRequest,
  first: Progress,
  run: (connection: Queryable, progress: Progress) => Promise<Slice<Progress>>,
): Promise<IdempotencyResult | 'more' | null> {
  return transaction(pool, async (connection) => {
    if (!(await lockKey(connection, request))) return null;
    const stored = await findResponse(connection, request);
    if (stored) return stored;
    const { rows } = await connection.query<{ progress: Progress }>(
      `SELECT progress FROM idempotency
        WHERE account_id = $1 AND key = $2 AND progress IS NOT NULL
          AND created_at > now() - make_interval(secs => $3)`,
      [request.accountId, request.key, idempotencyTtlS],
    );
    const [begun] = rows;
    const { progress, response } = await run(connection, begun?.progress ?? first);
    await connection.query(
      `INSERT INTO idempotency AS i (account_id, key, fingerprint, capture_id, answer, progress, created_at)
       VALUES ($1, $2, $3, NULL, $4, $5, now())
       ON CONFLICT (account_id, key) DO UPDATE
         SET fingerprint = excluded.fingerprint, capture_id = excluded.capture_id, answer = excluded.answer,
             progress = excluded.progress, created_at = CASE WHEN $6 THEN i.created_at ELSE excluded.created_at END`,
      [
        request.accountId,
        request.key,
        request.fingerprint,
        response?.body ?? null,
        response ? null : progress,
        begun !== undefined,
      ],
    );
    return response ? { outcome: 'created', response } : 'more';
  });
}

/**
 * Postgres releases the lock at the end of the transaction, even if the process dies.
 *
 * @returns false if another request has the lock.
 */
async function lockKey(connection: Queryable, { accountId, key }: IdempotentRequest): Promise<boolean> {
  const { rows } = await connection.query('SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked', [
    `${accountId} ${key}`,
  ]);
  return rows[0].locked;
}

/** Finds the stored response of a key; null if there is none or the work is not finished. */
export async function findResponse(database: Queryable, request: IdempotentRequest): Promise<IdempotencyResult | null> {
  const { rows } = await database.query({
    name: 'find-answer',
    text: `SELECT i.fingerprint, i.capture_id AS "captureId", i.answer, i.progress IS NOT NULL AS "isBegun"
             FROM idempotency i LEFT JOIN capture c ON c.id = i.capture_id
            WHERE i.account_id = $1 AND i.key = $2 AND i.created_at > now() - make_interval(secs => $3)
              AND (i.answer IS NOT NULL OR i.progress IS NOT NULL
                   OR NOT (c.status = 'cancelled' OR (c.status = 'failed' AND c.error_code = ANY($4))))`,
    values: [request.accountId, request.key, idempotencyTtlS, serverErrors],
  });
  const [row] = rows;
  if (!row) return null;
  if (!isSame(request, row.fingerprint)) return { outcome: 'conflict' };
  if (row.isBegun) return null;
  return { outcome: 'replayed', response: { captureId: row.captureId, body: row.answer } };
}

function isSame({ fingerprint, previousFingerprint }: IdempotentRequest, stored: Buffer): boolean {
  return [fingerprint, previousFingerprint].some((known) => known?.equals(stored));
}

/** Whether a key has a stored response, to the same request or to a different request. */
export async function hasResponse(
  database: Queryable,
  { accountId, key }: Pick<IdempotentRequest, 'accountId' | 'key'>,
): Promise<boolean> {
  return (await findResponse(database, { accountId, key, fingerprint: Buffer.alloc(0) })) !== null;
}

/** The keys that one statement deletes; it takes about 50 ms. */
const keysOfSlice = 5_000;

/** Deletes expired keys. @returns the number of deleted keys. */
export async function deleteExpiredResponses(database: Queryable, sliceSize = keysOfSlice): Promise<number> {
  return inSlices(sliceSize, async (size) => {
    const { rowCount } = await database.query(
      `DELETE FROM idempotency WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM idempotency WHERE created_at < now() - make_interval(secs => $1)
          ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [idempotencyTtlS, size],
    );
    return rowCount ?? 0;
  });
}
