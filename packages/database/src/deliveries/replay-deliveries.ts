import { countedAtMost } from '@capture/contract/counted-at-most';
import type pg from 'pg';
import { type Queryable, queryInIndexOrder, transaction } from '../database.ts';
import { type DeliveryRange, firstOfEach, rangeConditions } from './delivery-conditions.ts';
import { makeReceiversDue } from './receivers.ts';

export interface Replay extends DeliveryRange {
  since: Date;
  /** The final statuses to replay. */
  statuses: readonly ('failed' | 'delivered')[];
  /** When the replay was requested; deliveries that end later are not replayed. */
  at: Date;
}

/** The deliveries that one transaction replays. Its locks delay attempts at the same receivers by at most about 100 ms. */
const sliceSize = 2_000;

/** The progress of a replay; can be stored as JSON. */
export interface ReplayProgress {
  /** When the replay was requested, ISO 8601. This is `Replay.at`, even if the replay continues much later. */
  at: string;
  /** The id of the last visited delivery. Each delivery is visited once, so no delivery is replayed twice. */
  after: string;
  replayed: number;
}

export const firstOfReplay = ({ at }: Pick<Replay, 'at'>): ReplayProgress => ({
  at: at.toISOString(),
  after: '',
  replayed: 0,
});

/**
 * Replays ended deliveries, each as a retry: due now, with a fresh schedule. Deliveries of a paused or disabled endpoint are sent
 * when it is resumed, and deliveries of a deleted endpoint are skipped. Two equal replays at the same time replay each delivery
 * once.
 *
 * Works in slices, each in a separate transaction, so that a large replay blocks no other work. If a replay is interrupted,
 * another replay with the same `at` replays the rest.
 *
 * @param report called after each slice.
 * @returns the number of replayed deliveries.
 */
export async function replayDeliveries(
  pool: pg.Pool,
  replay: Replay,
  report: (progress: ReplayProgress) => void = () => {},
): Promise<number> {
  for (let progress = firstOfReplay(replay); ; ) {
    const before = progress;
    const slice = await transaction(pool, (connection) => replaySlice(connection, replay, before));
    report(slice.progress);
    if (slice.isLast) return slice.progress.replayed;
    progress = slice.progress;
  }
}

/** Replays the next deliveries, in the caller's transaction. Lock order: deliveries, receivers. */
export async function replaySlice(
  connection: Queryable,
  replay: Omit<Replay, 'at'>,
  progress: ReplayProgress,
  size = sliceSize,
): Promise<{ progress: ReplayProgress; isLast: boolean }> {
  const at = new Date(progress.at);
  const { replayed, receivers, last } = await replayAfter(connection, { ...replay, at }, progress.after, size);
  await makeReceiversDue(connection, receivers, at);
  const isLast = last === null;
  return { progress: { ...progress, after: last ?? progress.after, replayed: progress.replayed + replayed }, isLast };
}

/** @returns the replayed deliveries, and the id after which there may be more; null at the end. */
async function replayAfter(connection: Queryable, replay: Replay, after: string, size: number) {
  const { rows: found } = await queryInIndexOrder<Candidate>(connection, candidatesQuery(replay, after, size));
  const last = found.length < size ? null : (found.at(-1)?.id ?? null);
  if (found.length === 0) return { replayed: 0, receivers: [], last };
  const webhookIds = new Set(found.flatMap(({ webhookId }) => webhookId ?? []));
  const endpoints = await connection.query(
    'SELECT id, url, status FROM webhook_endpoint WHERE id = ANY($1) ORDER BY id FOR SHARE',
    [[...webhookIds]],
  );
  const { rows } = await connection.query(
    `WITH locked AS MATERIALIZED (
       SELECT d.id, e.url, coalesce(e.status <> 'active', false) AS paused
         FROM delivery d LEFT JOIN unnest($4::text[], $5::text[], $6::text[]) AS e (id, url, status) ON e.id = d.webhook_id
        WHERE d.id = ANY($1) AND d.status = ANY($2) AND d.completed_at <= $3
          AND (d.webhook_id IS NULL OR e.id IS NOT NULL)
        ORDER BY d.id FOR UPDATE OF d
     ), replayed AS (
       UPDATE delivery d
          SET status = CASE WHEN locked.paused THEN 'paused' ELSE 'pending' END,
              next_attempt_at = CASE WHEN locked.paused THEN NULL ELSE $3::timestamptz END,
              url = coalesce(locked.url, d.url), retries_used = 0, next_trigger = 'manual', retry_asked = false,
              lease_until = NULL, completed_at = NULL
         FROM locked WHERE d.id = locked.id
       RETURNING d.account_id, d.host, d.status
     )
     SELECT account_id AS "accountId", host, count(*)::int AS replayed, bool_or(status = 'pending') AS due
       FROM replayed GROUP BY 1, 2`,
    [
      found.map(({ id }) => id),
      replay.statuses,
      replay.at,
      endpoints.rows.map(({ id }) => id),
      endpoints.rows.map(({ url }) => url),
      endpoints.rows.map(({ status }) => status),
    ],
  );
  return {
    replayed: rows.reduce((sum, row) => sum + row.replayed, 0),
    receivers: rows.filter(({ due }) => due),
    last,
  };
}

interface Candidate {
  id: string;
  webhookId: string | null;
}

/** Builds the query of the next candidates, by id. The query reads from an index, whatever the size of the table. */
export function candidatesQuery(replay: Replay, after: string, limit: number): { text: string; values: unknown[] } {
  const values: unknown[] = [limit, after];
  const range = rangeConditions({ ...replay, until: replay.until ?? replay.at }, values);
  const select = 'd.id, d.webhook_id AS "webhookId" FROM delivery d';
  const conditions = ['d.id > $2', ...range];
  return { text: firstOfEach(replay.statuses, replay, { select, conditions }, 'ASC', '$1'), values };
}

/** Counts the deliveries that `replayDeliveries` would replay, up to `countedAtMost`. */
export async function countReplayable(database: Queryable, replay: Replay): Promise<number> {
  const values: unknown[] = [countedAtMost, replay.at];
  const conditions = rangeConditions({ ...replay, until: replay.until ?? replay.at }, values);
  conditions.push('d.completed_at <= $2', '(d.webhook_id IS NULL OR e.id IS NOT NULL)');
  const select = 'd.id FROM delivery d LEFT JOIN webhook_endpoint e ON e.id = d.webhook_id';
  const { rows } = await database.query(
    `SELECT count(*)::int AS count FROM (${firstOfEach(replay.statuses, replay, { select, conditions }, 'ASC', '$1')}) AS meant`,
    values,
  );
  return rows[0].count;
}
