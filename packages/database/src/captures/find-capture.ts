import { pageRowsAtMost } from '@capture/contract/api/paging';
import type { CaptureStatus } from '@capture/contract/api/responses';
import type { CaptureErrorCode } from '@capture/contract/errors';
import type { CaptureType } from '@capture/contract/events/events';
import type { Extraction } from '@capture/contract/options/extract-options';
import type { Quality } from '@capture/contract/quality';
import type pg from 'pg';
import { inSnapshot, type Queryable } from '../database.ts';
import { firstIdAt } from '../ids.ts';
import { ownedBy, ownerOrder } from '../owned-rows.ts';
import type { StoredReceipt } from './end-capture.ts';
import type { StoredOutput } from './stored-outputs.ts';

/** A capture's row as the API shows it. */
export interface StoredCapture {
  id: string;
  accountId: string;
  batchId: string | null;
  status: CaptureStatus;
  type: CaptureType;
  url: string;
  options: Record<string, unknown>;
  metadata: Record<string, string> | null;
  cached: boolean;
  format: string | null;
  width: number | null;
  height: number | null;
  fileSize: number | null;
  durationMs: number | null;
  storageKey: string | null;
  expiresAt: Date | null;
  errorCode: CaptureErrorCode | null;
  errorMessage: string | null;
  createdAt: Date;
  startedAt: Date | null;
  completedAt: Date | null;
  /** The receipt without its quality, which has a separate column. */
  receipt: StoredReceipt | null;
  /** The quality; null in rows from before this check existed. */
  quality: Quality | null;
  /** The extracted values; null without `extract`, and in lists. */
  extracted: Extraction | null;
  /** The files of further outputs; null if there are none. */
  outputs: StoredOutput[] | null;
}

/** A capture and its account's usage in the capture's month. */
export interface CaptureWithUsage extends StoredCapture {
  used: number;
  reserved: number;
}

const columnsWith = (
  options: string,
  extracted: string,
) => `c.id, c.account_id AS "accountId", c.batch_id AS "batchId", c.status, c.type, c.url, ${options} AS options,
                 c.metadata, c.cached, c.format, c.width, c.height, c.file_size AS "fileSize",
                 c.duration_ms AS "durationMs", c.storage_key AS "storageKey", c.expires_at AS "expiresAt",
                 c.error_code AS "errorCode", c.error_message AS "errorMessage", c.created_at AS "createdAt",
                 c.started_at AS "startedAt", c.completed_at AS "completedAt", c.receipt, c.quality, c.outputs,
                 ${extracted} AS extracted`;

const columns = columnsWith('c.options', 'c.extracted');

/**
 * SQL: the columns of a row in a list. A request may have 5 MB, and a page of 100 records must not grow to 500 MB. Lists
 * therefore show `…` for an option of more than 10,000 characters of JSON (such as `html`) and leave out the extracted values.
 * The single record shows both in full.
 */
const listColumns = columnsWith(
  `(SELECT coalesce(jsonb_object_agg(key, CASE WHEN length(value::text) > 10000 THEN '"…"'::jsonb ELSE value END), '{}')
      FROM jsonb_each(c.options))`,
  'NULL::jsonb',
);

/**
 * Finds a capture by its id alone. Only for ids that come from the platform, not from a client.
 *
 * @returns null as soon as the capture's account is deleted.
 */
export async function findCapture(database: Queryable, captureId: string): Promise<CaptureWithUsage | null> {
  const { rows } = await database.query<CaptureWithUsage>({
    name: 'find-capture',
    text: `SELECT ${columns}, coalesce(u.used, 0) AS used, coalesce(u.reserved, 0) AS reserved
             FROM capture c
             JOIN account a ON a.id = c.account_id AND a.deleted_at IS NULL
             LEFT JOIN usage u ON u.account_id = c.account_id AND u.month = c.month
            WHERE c.id = $1`,
    values: [captureId],
  });
  return rows[0] ?? null;
}

/** @returns null if the account has no such capture. */
export async function findOwnCapture(
  database: Queryable,
  accountId: string,
  captureId: string,
): Promise<StoredCapture | null> {
  // This is SQL because clients that poll make this the most frequent read, and Prisma takes 0.5 ms of CPU time instead of 0.1
  // ms.
  const { rows } = await database.query<StoredCapture>({
    name: 'find-own-capture',
    text: `SELECT ${columns} FROM capture c WHERE c.id = $1 AND c.account_id = $2`,
    values: [captureId, accountId],
  });
  return rows[0] ?? null;
}

export interface CapturePage {
  /** The account; null lists the captures of all accounts. */
  accountId: string | null;
  status: CaptureStatus | null;
  type: CaptureType | null;
  batchId: string | null;
  /** A part of the URL. */
  url: string | null;
  /** The earliest creation time, inclusive. */
  since: Date | null;
  /** The latest creation time, exclusive. */
  until: Date | null;
  /** The id of the last row of the previous page. */
  after: string | null;
  limit: number;
}

/** The most rows that one search reads. An index on URLs or types would cost a write for every capture. */
const searchedAtMost = 10_000;

/** An id cannot encode a time before 1970. */
const firstCaptureId = (at: Date) => firstIdAt('req', new Date(Math.max(0, at.getTime())));

/**
 * SQL: the inner limit of a list, which fits any page and the extra row that shows whether another page follows. With the limit
 * of the page alone, the planner would estimate the generic query plan as too expensive and plan the prepared statement each
 * time.
 */
const listedAtMost = pageRowsAtMost + 1;

/** Whether clients poll this kind of page. Its statement is prepared, because planning it takes longer than running it. */
const isPlain = ({ accountId, status, type, batchId, url, since, until }: CapturePage) =>
  accountId !== null && [status, type, batchId, url, since, until].every((filter) => filter === null);

export interface FoundCaptures {
  captures: StoredCapture[];
  /** The last row of a search that reached its limit before it filled the page. The next search continues there. */
  searchedTo: string | null;
}

/**
 * Reads one page of captures, newest first, from an index. The items of a batch are few and are sorted instead. A filter by URL
 * or type, and any filter on the captures of all accounts, searches only the next `searchedAtMost` rows. This is SQL because
 * Prisma cannot express the order of `ownerOrder`.
 */
export async function listCaptures(pool: pg.Pool, page: CapturePage): Promise<FoundCaptures> {
  const values: unknown[] = [];
  const indexed: string[] = [];
  const searched: string[] = [];
  const ofAll = page.accountId === null;
  const add = (to: string[], value: unknown, condition: (parameter: string) => string) => {
    if (value !== null) to.push(condition(`$${values.push(value)}`));
  };
  add(indexed, page.accountId, (parameter) => ownedBy('c.account_id', parameter));
  if (!ofAll) add(indexed, page.status, (parameter) => `c.status = ${parameter}`);
  add(indexed, page.batchId, (parameter) => `c.batch_id = ${parameter}`);
  add(indexed, page.since && firstCaptureId(page.since), (parameter) => `c.id >= ${parameter}`);
  add(indexed, page.until && firstCaptureId(page.until), (parameter) => `c.id < ${parameter}`);
  add(indexed, page.after, (parameter) => `c.id < ${parameter}`);
  const indexedValues = [...values];
  if (ofAll) add(searched, page.status, (parameter) => `c.status = ${parameter}`);
  add(searched, page.type, (parameter) => `c.type = ${parameter}`);
  add(searched, page.url, (parameter) => `strpos(lower(c.url), lower(${parameter})) > 0`);

  const newestFirst = (owner: string, id: string) => `${ofAll ? '' : `${ownerOrder(owner, 'DESC')}, `}${id} DESC`;
  const orderBy = (row: string) => newestFirst(`${row}.account_id`, `${row}.id`);
  const from = `FROM capture c ${where(indexed)} ORDER BY ${orderBy('c')}`;
  const read = async (database: Queryable, source: string) => {
    const text = `SELECT ${listColumns} ${source} LIMIT $${values.push(page.limit)}`;
    return (await database.query<StoredCapture>(text, values)).rows;
  };
  if (searched.length === 0) {
    const source = `SELECT ${listColumns} ${from} LIMIT ${listedAtMost}`;
    const { rows } = await pool.query<StoredCapture>({
      ...(isPlain(page) && { name: page.after === null ? 'list-captures' : 'list-captures-after' }),
      text: `SELECT * FROM (${source}) AS first ORDER BY ${newestFirst('"accountId"', 'id')} LIMIT $${values.push(page.limit)}`,
      values,
    });
    return { captures: rows, searchedTo: null };
  }
  return inSnapshot(pool, async (connection) => {
    // The subquery reads only ids, which the index contains, so the planner prefers the index to a scan and a sort.
    const source = `FROM (SELECT c.account_id, c.id ${from} LIMIT ${searchedAtMost}) AS found
      CROSS JOIN LATERAL (SELECT * FROM capture WHERE id = found.id LIMIT 1) AS c
      ${where(searched)} ORDER BY ${orderBy('found')}`;
    const captures = await read(connection, source);
    if (captures.length === page.limit) return { captures, searchedTo: null };
    const last = `SELECT c.id ${from} OFFSET ${searchedAtMost - 1} LIMIT 1`;
    const { rows } = await connection.query<{ id: string }>(last, indexedValues);
    return { captures, searchedTo: rows[0]?.id ?? null };
  });
}

const where = (conditions: readonly string[]) => (conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`);

/** Reads the statuses of many captures in one statement, for a gateway whose clients wait for these captures. */
export async function findStatuses(
  database: Queryable,
  captureIds: readonly string[],
): Promise<{ id: string; status: CaptureStatus }[]> {
  const { rows } = await database.query({
    name: 'find-statuses',
    text: 'SELECT id, status FROM capture WHERE id = ANY($1)',
    values: [captureIds],
  });
  return rows;
}
