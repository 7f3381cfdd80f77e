import { captureErrorCodes, errorStatus } from '@capture/contract/errors';
import type pg from 'pg';
import { type Queryable, transaction } from './database.ts';

/** For how long a key is remembered: 24 h, the contract's figure. */
export const idempotencyTtlS = 86_400;

/** With these a synchronous capture answered 5xx: that is not remembered, the next request tries anew. */
const serverErrors = captureErrorCodes.filter((code) => errorStatus[code] >= 500);

export interface KeyedRequest {
  accountId: string;
  /** The client's `Idempotency-Key`. */
  key: string;
  /** What the request asks for; another one under the same key is refused. */
  fingerprint: Buffer;
  /** The same under the `SECRET_KEY` before, while that is being rotated. */
  formerFingerprint?: Buffer | null;
}

/** What a request made: a capture whose end is the answer, or an acceptance whose body is the answer. */
export interface MadeResponse {
  captureId: string | null;
  answer: object | null;
}

export type Remembered = { outcome: 'made' | 'replayed'; made: MadeResponse } | { outcome: 'conflict' };

/**
 * Makes something once for a key, however many requests with it come at once: the first makes it, and the key is
 * remembered in the same transaction; the others wait for that and find it. If the first fails or its process dies,
 * nothing is remembered and the next one makes it; so it is after an answer of 5xx.
 *
 * @param make must do all that it writes on the connection it is given.
 */
export async function storeResponse(
  pool: pg.Pool,
  request: KeyedRequest,
  make: (connection: Queryable) => Promise<MadeResponse>,
): Promise<Remembered> {
  return transaction(pool, async (connection) => {
    // Ends with the transaction, or with the connection of a process that dies.
    await connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `${request.accountId} ${request.key}`,
    ]);
    const foundNow = await findResponse(connection, request);
    if (foundNow) return foundNow;
    const made = await make(connection);
    await connection.query(
      `INSERT INTO idempotency (account_id, key, fingerprint, capture_id, answer, created_at)
       VALUES ($1, $2, $3, $4, $5, now())
       ON CONFLICT (account_id, key) DO UPDATE
         SET fingerprint = excluded.fingerprint, capture_id = excluded.capture_id, answer = excluded.answer,
             created_at = excluded.created_at`,
      [request.accountId, request.key, request.fingerprint, made.captureId, made.answer],
    );
    return { outcome: 'made', made };
  });
}

/** What is remembered of a key; null if nothing is. */
export async function findResponse(database: Queryable, request: KeyedRequest): Promise<Remembered | null> {
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
  const known = [request.fingerprint, request.formerFingerprint];
  if (!known.some((fingerprint) => fingerprint?.equals(row.fingerprint))) return { outcome: 'conflict' };
  return { outcome: 'replayed', made: { captureId: row.captureId, answer: row.answer } };
}

/** Forgets keys whose time is over, some at a time. @returns how many. */
export async function deleteExpiredResponses(database: Queryable): Promise<number> {
  const { rowCount } = await database.query(
    `DELETE FROM idempotency WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM idempotency WHERE created_at < now() - make_interval(secs => $1)
        ORDER BY created_at LIMIT 5000 FOR UPDATE SKIP LOCKED))`,
    [idempotencyTtlS],
  );
  return rowCount ?? 0;
}
