import { captureErrorCodes, errorStatus } from '@capture/contract/errors';
import type pg from 'pg';
import { type Queryable, transaction } from './database.ts';
import { inSlices } from './in-slices.ts';

/** How long a key is kept: 24 h, the contract's figure. */
const idempotencyTtlS = 86_400;

/** A synchronous capture with one of these errors returned a 5xx: that is not stored, the next request tries again. */
const serverErrors = captureErrorCodes.filter((code) => errorStatus[code] >= 500);

export interface IdempotentRequest {
  accountId: string;
  /** The client's `Idempotency-Key`. */
  key: string;
  /** Hash of the request; a different request under the same key is refused. */
  fingerprint: Buffer;
  /** The same under the previous `SECRET_KEY`, while that is being rotated. */
  previousFingerprint?: Buffer | null;
}

/** The response to a request: the outcome of a capture, or the body of an acceptance. */
export interface StoredResponse {
  captureId: string | null;
  body: object | null;
}

export type IdempotencyResult = { outcome: 'created' | 'replayed'; response: StoredResponse } | { outcome: 'conflict' };

/**
 * Runs `create` once for a key, however many requests with it arrive at once: the first one runs it, and its response is
 * stored in the same transaction. If it fails or its process dies, nothing is stored and the next one runs it; the same
 * after a 5xx.
 *
 * @param create must make all its writes on the connection that it gets.
 * @returns null while another request with the key is in progress: try again later. Waiting here would hold a connection.
 */
export async function runIdempotently(
  pool: pg.Pool,
  request: IdempotentRequest,
  create: (connection: Queryable) => Promise<StoredResponse>,
): Promise<IdempotencyResult | null> {
  return transaction(pool, async (connection) => {
    // Released with the transaction, or with the connection of a process that dies.
    const lock = await connection.query('SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked', [
      `${request.accountId} ${request.key}`,
    ]);
    if (!lock.rows[0].locked) return null;
    const stored = await findResponse(connection, request);
    if (stored) return stored;
    const response = await create(connection);
    await connection.query(
      `INSERT INTO idempotency (account_id, key, fingerprint, capture_id, answer, created_at)
       VALUES ($1, $2, $3, $4, $5, now())
       ON CONFLICT (account_id, key) DO UPDATE
         SET fingerprint = excluded.fingerprint, capture_id = excluded.capture_id, answer = excluded.answer,
             created_at = excluded.created_at`,
      [request.accountId, request.key, request.fingerprint, response.captureId, response.body],
    );
    return { outcome: 'created', response };
  });
}

/** Finds the stored response of a key; null if there is none. */
export async function findResponse(database: Queryable, request: IdempotentRequest): Promise<IdempotencyResult | null> {
  const { rows } = await database.query({
    name: 'find-answer',
    text: `SELECT i.fingerprint, i.capture_id AS "captureId", i.answer
             FROM idempotency i LEFT JOIN capture c ON c.id = i.capture_id
            WHERE i.account_id = $1 AND i.key = $2 AND i.created_at > now() - make_interval(secs => $3)
              AND (i.answer IS NOT NULL
                   OR NOT (c.status = 'cancelled' OR (c.status = 'failed' AND c.error_code = ANY($4))))`,
    values: [request.accountId, request.key, idempotencyTtlS, serverErrors],
  });
  const [row] = rows;
  if (!row) return null;
  const known = [request.fingerprint, request.previousFingerprint];
  if (!known.some((fingerprint) => fingerprint?.equals(row.fingerprint))) return { outcome: 'conflict' };
  return { outcome: 'replayed', response: { captureId: row.captureId, body: row.answer } };
}

/** Whether a key has a stored response, be it to the same request or another. */
export async function hasResponse(
  database: Queryable,
  { accountId, key }: Pick<IdempotentRequest, 'accountId' | 'key'>,
): Promise<boolean> {
  return (await findResponse(database, { accountId, key, fingerprint: Buffer.alloc(0) })) !== null;
}

/** Keys that one statement deletes: some 50 ms. */
const keysOfSlice = 5_000;

/** Deletes expired keys. @returns how many. */
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
