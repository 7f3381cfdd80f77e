import { type ContractForm, planOf } from '@capture/contract/forms/forms';
import type pg from 'pg';
import { type Queryable, queryInIndexOrder, transaction } from '../database.ts';
import { processAliveS } from '../liveness.ts';
import { schedulingLock } from '../locks.ts';
import { readApart } from './accounts-apart.ts';
import { chooseCaptures, type InFlightCapture, shareOf, type WaitingAccount, windowOf } from './choose-captures.ts';
import { type EmptyAccount, moveInLine, rowVersion } from './waiting-accounts.ts';

/** The most waiting captures read of an account or of a batch; no more are read than there are free slots. */
const headsAtMost = 200;

/**
 * The most accounts read in one turn, those that waited longest. The turn reads as many more as have captures in flight, because
 * these may hold all slots that they may have. Scheduled accounts go to the end of the line (`moveInLine`).
 */
const accountsAtMost = 500;

/** The most batches of one account read in one turn, the oldest first; the others follow when these are finished. */
const batchesAtMost = 100;

/** Decides which captures are scheduled next. */
export interface SchedulingRules {
  /** How many captures may be in flight for a number of pages. */
  windowOf(pages: number): number;
  /** @param apart accounts whose pages have spoilt browsers. */
  choose(
    pages: number,
    inFlight: readonly InFlightCapture[],
    waiting: readonly WaitingAccount[],
    apart?: ReadonlySet<string>,
  ): string[];
}

/** How long an account counts as served after a turn that saw its captures, milliseconds. */
const recentMs = 30_000;

/** An account that a process has seen. */
interface SeenAccount {
  at: number;
  /** Whether it was apart then: its pages had spoilt browsers. */
  isApart: boolean;
  /** How many of its captures were in flight after the last turn. */
  inFlight: number;
  /** The average of `inFlight`, weighted by recency. */
  average: number;
}

/**
 * Returns the rules of one process. They remember the accounts that the process has seen, so that an account that sends a capture
 * every few seconds finds room, and how many captures each account had in flight.
 */
export function fairRules(now = () => performance.now()): SchedulingRules {
  const seen = new Map<string, SeenAccount>();
  let turnAt = now();
  return {
    windowOf,
    choose(pages, inFlight, waiting, apart) {
      const at = now();
      const weight = 1 - Math.exp((turnAt - at) / recentMs);
      turnAt = at;
      for (const account of seen.values()) account.average += (account.inFlight - account.average) * weight;
      // A new account counts as using its share, because its first captures show nothing about its use.
      const see = (id: string) => {
        const account = seen.get(id) ?? { at, isApart: false, inFlight: 0, average: shareOf(pages) };
        seen.set(id, Object.assign(account, { at, isApart: apart?.has(id) ?? false }));
      };
      for (const { accountId } of [...inFlight, ...waiting]) see(accountId);
      for (const [id, account] of seen) if (account.at < at - recentMs) seen.delete(id);

      const lately = new Map([...seen].map(([id, { average }]) => [id, average]));
      const apartLately = new Set([...seen].filter(([, account]) => account.isApart).map(([id]) => id));
      const { chosen, inFlightOf } = chooseCaptures(pages, inFlight, waiting, lately, apartLately);
      for (const [id, account] of seen) account.inFlight = inFlightOf.get(id) ?? 0;
      return chosen;
    },
  };
}

/**
 * Chooses the waiting captures to schedule and marks them as enqueued. Scheduling turns of all processes run one after the other,
 * so that two turns never fill the same slot. A turn reads waiting captures only if there is a free slot, because a flood of new
 * captures starts as many turns.
 *
 * @returns the captures to add to the queue. If they are not added, `recoverCaptures` makes them wait again.
 */
export async function scheduleCaptures(
  pool: pg.Pool,
  form: ContractForm,
  rules = fairRules(),
): Promise<{ id: string; attempt: number }[]> {
  const { next, ...line } = await transaction(
    pool,
    async (connection) => {
      const [pages, inFlight] = await Promise.all([countPages(connection), readInFlight(connection)]);
      if (pages === 0) return nothing;
      const free = rules.windowOf(pages) - inFlight.length;
      if (free <= 0) return nothing;
      const limits = {
        accounts: accountsAtMost + new Set(inFlight.map(({ accountId }) => accountId)).size,
        heads: Math.min(headsAtMost, free),
      };
      const { waiting, empty } = await readWaiting(connection, form, limits);
      if (waiting.length === 0) return { ...nothing, empty };
      const apart = await readApart(
        connection,
        [...inFlight, ...waiting].map(({ accountId }) => accountId),
      );
      const chosen = rules.choose(pages, inFlight, waiting, apart);
      const next = chosen.length === 0 ? [] : await markEnqueued(connection, chosen);
      return { next, scheduled: [...new Set(next.map(({ accountId }) => accountId))], empty };
    },
    `SELECT pg_advisory_xact_lock(${schedulingLock})`,
  );
  await moveInLine(pool, line);
  return next.map(({ id, attempt }) => ({ id, attempt }));
}

interface EnqueuedCapture {
  id: string;
  attempt: number;
  accountId: string;
}

const nothing: { next: EnqueuedCapture[]; scheduled: string[]; empty: EmptyAccount[] } = {
  next: [],
  scheduled: [],
  empty: [],
};

async function countPages(connection: Queryable): Promise<number> {
  const { rows } = await connection.query({
    name: 'count-pages',
    text: 'SELECT coalesce(sum(pages), 0)::int AS pages FROM worker WHERE heartbeat_at > now() - make_interval(secs => $1)',
    values: [processAliveS],
  });
  return rows[0].pages;
}

async function readInFlight(connection: Queryable): Promise<InFlightCapture[]> {
  const { rows } = await connection.query<InFlightCapture>({
    name: 'read-in-flight',
    text: `SELECT account_id AS "accountId", batch_id AS "batchId" FROM capture
            WHERE status = 'queued' AND enqueued_at IS NOT NULL
            UNION ALL
           SELECT account_id, batch_id FROM capture WHERE status = 'processing'`,
  });
  return rows;
}

/**
 * Reads the first waiting captures of the accounts that waited longest and of each of their batches. Steps from one batch to the
 * next on the index of waiting captures, so the cost grows with the number of read accounts and batches, not of captures. Looks
 * accounts and batches up separately, because the planner expects thousands of steps and for a join would read every batch ever
 * stored.
 *
 * @param limits.heads the most captures read of each account or batch.
 * @returns also the accounts in line that have no waiting captures.
 */
async function readWaiting(
  connection: Queryable,
  form: ContractForm,
  limits: { accounts: number; heads: number },
): Promise<{ waiting: WaitingAccount[]; empty: EmptyAccount[] }> {
  const { rows } = await queryInIndexOrder<{
    accountId: string;
    version: string;
    plan: string;
    lastScheduledAt: number;
    lastWasItem: boolean;
    batchId: string | null;
    batchFedAt: number;
    ids: string[];
  }>(connection, {
    name: 'read-waiting',
    text: `WITH RECURSIVE account_step (account_id, version) AS MATERIALIZED (
             SELECT account_id, ${rowVersion} FROM waiting_account ORDER BY waiting_since, account_id LIMIT $1
           ), batch_step (account_id, batch_id, step) AS (
             SELECT account_id, first.batch_id, 1 FROM account_step, LATERAL (
               SELECT c.batch_id FROM capture c
                WHERE c.status = 'queued' AND c.enqueued_at IS NULL AND c.account_id = account_step.account_id
                  AND c.batch_id > ''
                ORDER BY c.batch_id LIMIT 1) first
             UNION ALL
             SELECT batch_step.account_id, next.batch_id, batch_step.step + 1 FROM batch_step, LATERAL (
               SELECT c.batch_id FROM capture c
                WHERE c.status = 'queued' AND c.enqueued_at IS NULL AND c.account_id = batch_step.account_id
                  AND c.batch_id > batch_step.batch_id
                ORDER BY c.batch_id LIMIT 1) next
              WHERE batch_step.step < $2
           ), head (account_id, batch_id, fed_at, ids) AS (
             SELECT account_id, NULL, NULL::timestamptz, ARRAY(
               SELECT c.id FROM capture c
                WHERE c.status = 'queued' AND c.enqueued_at IS NULL AND c.account_id = account_step.account_id
                  AND c.batch_id IS NULL
                ORDER BY c.batch_index, c.id LIMIT $3) FROM account_step
             UNION ALL
             SELECT s.account_id, s.batch_id, (SELECT b.last_fed_at FROM batch b WHERE b.id = s.batch_id), ARRAY(
               SELECT c.id FROM capture c
                WHERE c.status = 'queued' AND c.enqueued_at IS NULL AND c.account_id = s.account_id
                  AND c.batch_id = s.batch_id
                ORDER BY c.batch_index, c.id LIMIT $3)
               FROM batch_step s
           )
           SELECT a.id AS "accountId", (SELECT s.version FROM account_step s WHERE s.account_id = a.id), a.plan,
                  coalesce(extract(epoch FROM (SELECT t.last_scheduled_at FROM account_turn t
                                                WHERE t.account_id = h.account_id)), 0)::float8 AS "lastScheduledAt",
                  coalesce((SELECT t.last_was_item FROM account_turn t WHERE t.account_id = h.account_id), false) AS "lastWasItem",
                  h.batch_id AS "batchId", coalesce(extract(epoch FROM h.fed_at), 0)::float8 AS "batchFedAt", h.ids
             FROM head h CROSS JOIN LATERAL (SELECT id, plan FROM account WHERE id = h.account_id LIMIT 1) AS a`,
    values: [limits.accounts, batchesAtMost, limits.heads],
  });
  type Batch = WaitingAccount['batches'][number];
  const accounts = new Map<string, WaitingAccount & { singles: string[]; batches: Batch[]; version: string }>();
  for (const { accountId, version, plan, lastScheduledAt, lastWasItem, batchId, batchFedAt, ids } of rows) {
    const { concurrency } = planOf(form, plan);
    const found = accounts.get(accountId);
    const turn = { lastScheduledAt, lastWasItem };
    const account = found ?? { accountId, version, concurrency, ...turn, singles: [], batches: [] };
    if (batchId === null) account.singles = ids;
    else account.batches.push({ batchId, lastScheduledAt: batchFedAt, items: ids });
    accounts.set(accountId, account);
  }
  const all = [...accounts.values()];
  const isEmpty = ({ singles, batches }: WaitingAccount) => singles.length === 0 && batches.length === 0;
  return {
    waiting: all.filter((account) => !isEmpty(account)),
    empty: all.filter(isEmpty),
  };
}

async function markEnqueued(connection: Queryable, ids: readonly string[]): Promise<EnqueuedCapture[]> {
  const { rows } = await connection.query<EnqueuedCapture>({
    name: 'mark-enqueued',
    // The statement skips locked rows: a locked capture is being cancelled, and a locked batch counts an item. Either transaction
    // may wait for other requests of its account, and all accounts would wait with it. No request writes to `account_turn`. The
    // times come from the wall clock, not from the transaction, so that two turns have different times. Within a turn the
    // accounts keep the order in which they were chosen.
    text: `WITH free AS MATERIALIZED (
             SELECT id FROM capture WHERE id = ANY ($1) AND status = 'queued' AND enqueued_at IS NULL FOR NO KEY UPDATE SKIP LOCKED
           ), chosen AS (
             UPDATE capture SET enqueued_at = clock_timestamp() WHERE id = ANY (ARRAY(SELECT id FROM free))
          RETURNING id, attempt, account_id, batch_id
           ), accounts AS (
             INSERT INTO account_turn (account_id, last_scheduled_at, last_was_item)
             SELECT account_id, (SELECT clock_timestamp()) + max(array_position($1, id)) * interval '1 microsecond',
                    (array_agg(batch_id IS NOT NULL ORDER BY array_position($1, id) DESC))[1]
               FROM chosen GROUP BY account_id
             ON CONFLICT (account_id) DO UPDATE
                SET last_scheduled_at = excluded.last_scheduled_at, last_was_item = excluded.last_was_item
           ), batches AS (
             UPDATE batch SET last_fed_at = clock_timestamp()
              WHERE id = ANY (ARRAY(SELECT id FROM batch WHERE id IN (SELECT batch_id FROM chosen)
                                       FOR NO KEY UPDATE SKIP LOCKED))
           )
           SELECT id, attempt, account_id AS "accountId" FROM chosen ORDER BY array_position($1, id)`,
    values: [ids],
  });
  return rows;
}
