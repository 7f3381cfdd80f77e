import type pg from 'pg';
import { inSnapshot, type Queryable } from '../database.ts';
import {
  type DeliveryRange,
  type DeliveryStatus,
  deliveryStatuses,
  firstOfEach,
  rangeConditions,
} from './delivery-conditions.ts';

/** A delivery as the API returns it. */
export interface StoredDelivery {
  id: string;
  accountId: string;
  event: string;
  eventId: string;
  captureId: string | null;
  batchId: string | null;
  webhookId: string | null;
  url: string;
  status: DeliveryStatus;
  attemptCount: number;
  /** Null also while a dispatcher has claimed the delivery. */
  nextAttemptAt: Date | null;
  lastStatus: number | null;
  lastError: string | null;
  createdAt: Date;
  completedAt: Date | null;
}

export interface StoredAttempt {
  number: number;
  trigger: 'schedule' | 'manual';
  startedAt: Date;
  durationMs: number;
  status: number | null;
  error: string | null;
  responseExcerpt: string | null;
}

export interface DeliveryWithAttempts extends StoredDelivery {
  body: Buffer;
  /** The last `attemptsShown` attempts, oldest first. */
  attempts: StoredAttempt[];
}

/** The most attempts that the API returns with a delivery. The schedule has six, and each manual retry adds more. */
export const attemptsShown = 100;

/** SQL: the columns of a delivery `d` and its event `e`. */
const deliveryColumns = `d.id, d.account_id AS "accountId", e.name AS event, e.id AS "eventId",
  e.capture_id AS "captureId", e.batch_id AS "batchId", d.webhook_id AS "webhookId", d.url, d.status,
  d.attempt_count AS "attemptCount", CASE WHEN d.lease_until IS NULL THEN d.next_attempt_at END AS "nextAttemptAt",
  d.last_status AS "lastStatus", d.last_error AS "lastError", d.created_at AS "createdAt",
  d.completed_at AS "completedAt"`;

/**
 * Reads a delivery with its payload and its last attempts.
 *
 * @param key.accountId the account that must own the delivery; null for the operator.
 * @returns null if there is no such delivery.
 */
export async function findDelivery(
  database: Queryable,
  key: { id: string; accountId: string | null },
): Promise<DeliveryWithAttempts | null> {
  const found = await database.query<Omit<DeliveryWithAttempts, 'attempts'>>(
    `SELECT ${deliveryColumns}, e.body FROM delivery d JOIN event e ON e.id = d.event_id
      WHERE d.id = $1 AND ($2::text IS NULL OR d.account_id = $2)`,
    [key.id, key.accountId],
  );
  const [delivery] = found.rows;
  if (!delivery) return null;
  const attempts = await database.query<StoredAttempt>(
    `SELECT number, trigger, started_at AS "startedAt", duration_ms AS "durationMs", status, error,
            response_excerpt AS "responseExcerpt"
       FROM delivery_attempt WHERE delivery_id = $1 ORDER BY number DESC LIMIT ${attemptsShown}`,
    [key.id],
  );
  return { ...delivery, attempts: attempts.rows.reverse() };
}

export interface DeliveryPage extends DeliveryRange {
  status: DeliveryStatus | null;
  event: string | null;
  /** The id of the last row of the previous page. */
  after: string | null;
  limit: number;
}

/** The most deliveries that one search for an event's name reads. No index helps, because the name is in another table. */
export const searchedAtMost = 10_000;

export interface FoundDeliveries {
  deliveries: StoredDelivery[];
  /** The last row of a search that reached its limit before it filled the page. The next search continues there. */
  searchedTo: string | null;
}

/** Reads one page of deliveries, newest first. A filter by an event's name searches the next `searchedAtMost` rows. */
export async function listDeliveries(pool: pg.Pool, page: DeliveryPage): Promise<FoundDeliveries> {
  const read = async (database: Queryable) => (await database.query<StoredDelivery>(deliveriesQuery(page))).rows;
  if (page.event === null) return { deliveries: await read(pool), searchedTo: null };
  return inSnapshot(pool, async (connection) => {
    const deliveries = await read(connection);
    if (deliveries.length === page.limit) return { deliveries, searchedTo: null };
    const values: unknown[] = [];
    const ids = selectIds(page, values, String(searchedAtMost));
    const last = `SELECT id FROM (${ids}) AS d ORDER BY id DESC OFFSET ${searchedAtMost - 1} LIMIT 1`;
    const { rows } = await connection.query<{ id: string }>(last, values);
    return { deliveries, searchedTo: rows[0]?.id ?? null };
  });
}

/** Builds the query of a page, which reads from an index. */
export function deliveriesQuery(page: DeliveryPage): { text: string; values: unknown[] } {
  const values: unknown[] = [page.limit];
  const ids = selectIds(page, values, page.event === null ? '$1' : String(searchedAtMost));
  const isOfEvent = page.event === null ? '' : `WHERE e.name = $${values.push(page.event)}`;
  // The subquery looks each row up separately. For a join the planner may read whole tables, because it does not know that one
  // partition contains each row.
  const text = `SELECT ${deliveryColumns} FROM (${ids}) AS found
    CROSS JOIN LATERAL (SELECT * FROM delivery WHERE id = found.id LIMIT 1) AS d
    CROSS JOIN LATERAL (SELECT * FROM event WHERE id = d.event_id LIMIT 1) AS e
    ${isOfEvent} ORDER BY found.id DESC LIMIT $1`;
  return { text, values };
}

/**
 * SQL: the ids of the next deliveries of a page, whatever their events.
 *
 * @param limit the limit, or the parameter that contains it.
 */
function selectIds(page: DeliveryPage, values: unknown[], limit: string): string {
  const conditions = rangeConditions(page, values);
  if (page.after !== null) conditions.push(`d.id < $${values.push(page.after)}`);
  const statuses = page.status === null ? deliveryStatuses : [page.status];
  return firstOfEach(statuses, page, { select: 'd.id FROM delivery d', conditions }, 'DESC', limit);
}
