import type pg from 'pg';
import { type Queryable, queryInIndexOrder, transaction } from '../database.ts';
import { inProgress, timeOf } from '../deliveries/delivery-conditions.ts';
import { makeReceiversDue } from '../deliveries/receivers.ts';
import { forTime } from '../in-slices.ts';
import { ownedBy, ownerOrder } from '../owned-rows.ts';

/** Deliveries of one transaction: its locks delay attempts at the same receivers by some 50 ms at most. */
const sliceSize = 1_000;

/**
 * How long a process works on the deliveries of one endpoint, milliseconds. What the process that changed it leaves is done by
 * the cleanup job, which then goes on with another endpoint.
 */
const turnMs = 1_000;

/**
 * Notes that the open deliveries of an endpoint have to follow it, in the transaction that changes or deletes it. The caller
 * goes on with `followEndpoint` after the commit. Until then no attempt that contradicts the endpoint begins
 * (`beginAttempt`).
 */
export async function noteBacklog(connection: Queryable, webhookId: string): Promise<void> {
  await connection.query(
    `INSERT INTO endpoint_backlog (webhook_id) VALUES ($1)
     ON CONFLICT (webhook_id) DO UPDATE SET version = endpoint_backlog.version + 1`,
    [webhookId],
  );
}

/** Options of `followEndpoint`. */
export interface FollowOptions {
  /** The time; by default that of the database. */
  at?: Date | null;
  /** Deliveries of one transaction. */
  slice?: number;
  /** Asked before each further slice. */
  goOn?: () => boolean;
}

/** Options of `followEndpoints`. */
export interface FollowAllOptions extends Pick<FollowOptions, 'slice' | 'goOn'> {
  /** Returns what is asked before each further slice of an endpoint's turn. */
  newTurn?: () => () => boolean;
}

/**
 * Makes the open deliveries of an endpoint follow it: they are due at its URL if it is active, held while it is paused or
 * disabled, and fail if it is deleted. An attempt in progress is left to the transaction that records its outcome.
 *
 * @returns how many deliveries it looked at.
 */
export async function followEndpoint(
  pool: pg.Pool,
  webhookId: string,
  { at = null, slice = sliceSize, goOn = forTime(turnMs) }: FollowOptions = {},
): Promise<number> {
  return (await takeTurn(followInSlices(pool, webhookId, slice, at), goOn)).seen;
}

/**
 * Works in slices by the endpoint's current state, so that it can be interrupted and repeated, by several processes at once.
 *
 * @returns after each slice how many deliveries it looked at.
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
  // First those of the wrong status, which are not found again: work that is often interrupted still proceeds.
  const statuses = ['pending', 'paused'] as const;
  for (const status of rows[0].status === 'active' ? statuses.toReversed() : statuses) {
    let position: Position | null = { webhookId, status, after: '' };
    while (position) {
      const { count, last } = await followSlice(pool, position, slice, at);
      position = count < slice ? null : { ...position, after: last };
      yield count;
    }
  }
  // Unless it was changed again meanwhile: then the deliveries visited before are to follow that change.
  await pool.query('DELETE FROM endpoint_backlog WHERE webhook_id = $1 AND version = $2', [webhookId, rows[0].version]);
}

/** Does slices of an endpoint as long as `goOn` says, and at least one. */
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
 * Resumes what was interrupted. The endpoints take turns until none is left: one may have millions of deliveries, and another
 * be changed meanwhile.
 *
 * @returns how many deliveries it looked at.
 */
export async function followEndpoints(
  pool: pg.Pool,
  { goOn = () => true, slice = sliceSize, newTurn = () => forTime(turnMs) }: FollowAllOptions = {},
): Promise<number> {
  // Where an endpoint's turn ended its next one goes on: beginning again, it might never come to an end.
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

/** Lock order: endpoint, deliveries by id, receivers; the same as inserting events. */
async function followSlice(
  pool: pg.Pool,
  { webhookId, status, after }: Position,
  size: number,
  at: Date | null,
): Promise<{ count: number; last: string }> {
  return transaction(pool, async (connection) => {
    // Shared with the transactions that record outcomes and insert events.
    const endpoints = await connection.query('SELECT status, url FROM webhook_endpoint WHERE id = $1 FOR SHARE', [
      webhookId,
    ]);
    const [endpoint] = endpoints.rows;
    const { set, where } = changeOf(endpoint?.status);
    const differs = `(${where} AND NOT ${inProgress('$5')})`;
    const { rows } = await queryInIndexOrder(connection, {
      // Most of a slice may follow already: those are only read. Arrays: for a join the planner would read whole partitions.
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

/** SQL: what becomes of an open delivery `d`, and of which. $5 is the time, $6 the endpoint's URL, null if it is deleted. */
function changeOf(endpoint: string | undefined): { set: string; where: string } {
  switch (endpoint) {
    case undefined:
      return {
        set: `status = 'failed', last_error = 'endpoint_deleted', completed_at = ${timeOf('$5')}, lease_until = NULL,
              next_attempt_at = NULL`,
        where: '$6::text IS NULL',
      };
    case 'active':
      // A claim that has not begun is cancelled: its slot is one of the previous receiver.
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
