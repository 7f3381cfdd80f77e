import type pg from 'pg';
import { type Queryable, queryInIndexOrder, transaction } from '../database.ts';
import { inProgress, timeOf } from '../deliveries/delivery-conditions.ts';
import { makeReceiversDue } from '../deliveries/receivers.ts';
import { forTime } from '../in-slices.ts';
import { ownedBy, ownerOrder } from '../owned-rows.ts';

/** The deliveries that one transaction changes. Its locks delay attempts at the same receivers by at most about 50 ms. */
const sliceSize = 1_000;

/**
 * How long a process works on the deliveries of one endpoint, milliseconds. The process that changed the endpoint leaves the rest
 * to the cleanup job, which continues with another endpoint after this time.
 */
const turnMs = 1_000;

/**
 * Notes that the open deliveries of an endpoint have to follow the endpoint, in the transaction that changes or deletes it. The
 * caller must call `followEndpoint` after the commit. Until the deliveries follow, `beginAttempt` starts no attempt that
 * contradicts the endpoint.
 */
export async function noteBacklog(connection: Queryable, webhookId: string): Promise<void> {
  await connection.query(
    `INSERT INTO endpoint_backlog (webhook_id) VALUES ($1)
     ON CONFLICT (webhook_id) DO UPDATE SET version = endpoint_backlog.version + 1`,
    [webhookId],
  );
}

export interface FollowOptions {
  /** The current time; by default the time of the database. */
  at?: Date | null;
  /** The deliveries of one transaction. */
  slice?: number;
  /** Asked before each further slice. */
  goOn?: () => boolean;
}

export interface FollowAllOptions extends Pick<FollowOptions, 'slice' | 'goOn'> {
  /** Begins an endpoint's turn. Returns a function that is asked before each further slice of the turn. */
  newTurn?: () => () => boolean;
}

/**
 * Makes the open deliveries of an endpoint follow it: they become due at its URL if it is active, are held while it is paused or
 * disabled, and fail if it is deleted. An attempt in progress is left to the transaction that records its outcome.
 *
 * @returns the number of visited deliveries.
 */
export async function followEndpoint(
  pool: pg.Pool,
  webhookId: string,
  { at = null, slice = sliceSize, goOn = forTime(turnMs) }: FollowOptions = {},
): Promise<number> {
  return (await takeTurn(followInSlices(pool, webhookId, slice, at), goOn)).seen;
}

/**
 * Works in slices by the endpoint's current state, so that several processes can interrupt and repeat the work at the same time.
 *
 * @returns the number of visited deliveries after each slice.
 */
async function* followInSlices(
  pool: pg.Pool,
  webhookId: string,
  slice: number,
  at: Date | null,
): AsyncGenerator<number, void> {
  const { rows } = await pool.query(
    `SELECT b.version, e.status FROM endpoint_backlog b LEFT JOIN webhook_endpoint e ON e.id = b.webhook_id
      WHERE b.webhook_id = $1`,
    [webhookId],
  );
  if (!rows[0]) return;
  // Deliveries of the wrong status come first. The next run does not find them again, so work that is often interrupted still
  // proceeds.
  const statuses = ['pending', 'paused'] as const;
  for (const status of rows[0].status === 'active' ? statuses.toReversed() : statuses) {
    let position: Position | null = { webhookId, status, after: '' };
    while (position) {
      const { count, last } = await followSlice(pool, position, slice, at);
      position = count < slice ? null : { ...position, after: last };
      yield count;
    }
  }
  // The note stays if the endpoint was changed again meanwhile: the visited deliveries have to follow the new change too.
  await pool.query('DELETE FROM endpoint_backlog WHERE webhook_id = $1 AND version = $2', [webhookId, rows[0].version]);
}

/** Processes at least one slice of an endpoint, and more while `goOn` returns true. */
async function takeTurn(
  slices: AsyncGenerator<number, void>,
  goOn: () => boolean,
): Promise<{ seen: number; finished: boolean }> {
  let seen = 0;
  do {
    const slice = await slices.next();
    if (slice.done) return { seen, finished: true };
    seen += slice.value;
  } while (goOn());
  return { seen, finished: false };
}

/**
 * Resumes interrupted work. The endpoints take turns until none is left, because one endpoint may have millions of deliveries
 * while another is changed.
 *
 * @returns the number of visited deliveries.
 */
export async function followEndpoints(
  pool: pg.Pool,
  { goOn = () => true, slice = sliceSize, newTurn = () => forTime(turnMs) }: FollowAllOptions = {},
): Promise<number> {
  // An endpoint's next turn continues where its last turn ended. If each turn began again, the work might never end.
  let begun = new Map<string, AsyncGenerator<number, void>>();
  let seen = 0;
  for (;;) {
    const { rows } = await pool.query<{ id: string }>(
      'SELECT webhook_id AS id FROM endpoint_backlog ORDER BY random()',
    );
    if (rows.length === 0) return seen;
    const unfinished: typeof begun = new Map();
    for (const { id } of rows) {
      if (!goOn()) return seen;
      const slices = begun.get(id) ?? followInSlices(pool, id, slice, null);
      const inTurn = newTurn();
      const turn = await takeTurn(slices, () => goOn() && inTurn());
      seen += turn.seen;
      if (!turn.finished) unfinished.set(id, slices);
    }
    begun = unfinished;
  }
}

interface Position {
  webhookId: string;
  status: 'pending' | 'paused';
  /** The id of the last delivery of the previous slice. */
  after: string;
}

/** Lock order: endpoint, deliveries by id, receivers, as for inserting events. */
async function followSlice(
  pool: pg.Pool,
  { webhookId, status, after }: Position,
  size: number,
  at: Date | null,
): Promise<{ count: number; last: string }> {
  return transaction(pool, async (connection) => {
    // A shared lock, which the transactions that record outcomes and insert events also take.
    const endpoints = await connection.query('SELECT status, url FROM webhook_endpoint WHERE id = $1 FOR SHARE', [
      webhookId,
    ]);
    const [endpoint] = endpoints.rows;
    const { set, where } = changeFor(endpoint?.status);
    const differs = `(${where} AND NOT ${inProgress('$5')})`;
    const { rows } = await queryInIndexOrder(connection, {
      // Deliveries that already follow, often most of a slice, are only read. The ids are arrays: for a join the planner would
      // read whole partitions.
      text: `WITH chosen AS MATERIALIZED (
         SELECT d.id, ${differs} AS differs FROM delivery d
          WHERE ${ownedBy('d.webhook_id', '$1')} AND d.status = $2 AND d.id > $3
          ORDER BY ${ownerOrder('d.webhook_id', 'ASC')}, d.id ASC LIMIT $4
       ), locked AS MATERIALIZED (
         SELECT d.id FROM delivery d WHERE d.id = ANY (ARRAY(SELECT id FROM chosen WHERE differs)) AND ${differs}
          ORDER BY d.id FOR UPDATE
       ), changed AS (
         UPDATE delivery d SET ${set}
          WHERE d.id = ANY (ARRAY(SELECT id FROM locked)) AND ${differs} RETURNING d.account_id, d.host, d.status
       )
       SELECT (SELECT count(*)::int FROM chosen) AS count, (SELECT max(id) FROM chosen) AS last,
              ARRAY(SELECT DISTINCT ARRAY[account_id, host] FROM changed WHERE status = 'pending') AS due`,
      values: [webhookId, status, after, size, at, endpoint?.url ?? null],
    });
    const [{ count, last, due }] = rows as [{ count: number; last: string; due: [string, string][] }];
    const receivers = due.map(([accountId, host]) => ({ accountId, host }));
    await makeReceiversDue(connection, receivers, at);
    return { count, last };
  });
}

/**
 * SQL that changes an open delivery `d`, and the condition of the deliveries to change. $5 is the time and $6 the endpoint's URL,
 * null if the endpoint is deleted.
 */
function changeFor(endpoint: string | undefined): { set: string; where: string } {
  switch (endpoint) {
    case undefined:
      return {
        set: `status = 'failed', last_error = 'endpoint_deleted', completed_at = ${timeOf('$5')}, lease_until = NULL,
              next_attempt_at = NULL`,
        where: '$6::text IS NULL',
      };
    case 'active':
      // The update cancels a claim whose attempt has not begun, because its slot belongs to the previous receiver.
      return {
        set: `status = 'pending', url = $6, lease_until = NULL,
              next_attempt_at = CASE WHEN d.status = 'pending' AND d.lease_until IS NULL THEN d.next_attempt_at
                                     ELSE ${timeOf('$5')} END`,
        where: `(d.status <> 'pending' OR d.url <> $6)`,
      };
    default:
      return {
        set: `status = 'paused', url = $6, lease_until = NULL, next_attempt_at = NULL`,
        where: `(d.status <> 'paused' OR d.url <> $6)`,
      };
  }
}
