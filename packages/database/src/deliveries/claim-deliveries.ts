import type { ContractForm } from '@capture/contract/forms/forms';
import type pg from 'pg';
import { type Queryable, transaction } from '../database.ts';
import { dispatcherAliveS } from '../liveness.ts';
import { claimLock } from '../locks.ts';
import type { ReceiverKey } from './receivers.ts';
import { type Blocked, type DueReceiver, type InFlightDeliveries, type SlotRules, slotRules } from './share-slots.ts';

/**
 * How long a claim holds while it waits in the queue, milliseconds. No more is claimed than there are places for, so it is
 * begun at once; one that is not was lost with Redis, and is claimed again.
 */
export const waitingLeaseMs = 10_000;

/** A receiver that holds all its places is looked at again after so long, milliseconds, if no outcome tells of it first. */
const lookAgainMs = 1_000;

/** Receivers that are looked at in one round; the others come in the next, when these have moved on. */
const receiversAtMost = 200;

/** A dispatcher that stops in the middle of a round must not hold up the others, milliseconds. */
const roundWithinMs = 5_000;

/** A delivery in the hands of a dispatcher. Only the newest attempt may be sent and recorded. */
export interface ClaimedDelivery {
  id: string;
  attempt: number;
}

/** What one round came to. */
export interface ClaimedRound {
  /** The longest due of each receiver first. */
  claims: ClaimedDelivery[];
  /** Since when each of them was due. */
  dueAt: Date[];
  /** Whether it left receivers out because there were too many for one round: another one may find places for them. */
  more: boolean;
}

/**
 * Claims deliveries that are due, as `rules` share out the places that are free. Rounds of all processes happen one after
 * the other. A claim ends by itself with its lease: then the delivery is due again, so that one whose dispatcher died is
 * sent again (Form B) or, if its attempt was begun, given up for lost (Form A, see `dropLostAttempts`).
 *
 * @param at what is taken for now; the schedule is kept by this clock.
 */
export async function claimDeliveries(
  pool: pg.Pool,
  form: ContractForm,
  at: Date,
  rules: SlotRules = slotRules,
): Promise<ClaimedRound> {
  return transaction(
    pool,
    async (connection) => {
      const before = await readInFlight(connection, at);
      if (before.inFlight.reduce((sum, { count }) => sum + count, 0) >= before.places) return nothing;
      const due = await lockDueReceivers(connection, rules.blocked(before.places, before.inFlight), at);
      if (due.length === 0) return nothing;
      // Read again now that the receivers are locked: an outcome that came before is counted, and one that comes from now
      // on waits for this round and tells the receiver of its place. Else a receiver whose every attempt ended in between
      // would be put down as holding all of its places.
      const { places, inFlight } = await readInFlight(connection, at);
      const shares = rules.share(places, inFlight, due);
      const receivers = due.map((receiver, index) => ({
        ...receiver,
        ...(shares[index] ?? { places: 0, atLimit: false }),
      }));
      const claimed = await claim(connection, form, receivers, at);
      await setNextDue(connection, receivers, at);
      return { ...claimed, more: claimed.claims.length > 0 && due.length === receiversAtMost };
    },
    `SET LOCAL idle_in_transaction_session_timeout = ${roundWithinMs}; SELECT pg_advisory_xact_lock(${claimLock})`,
  );
}

const nothing: ClaimedRound = { claims: [], dueAt: [], more: false };

async function readInFlight(
  connection: Queryable,
  at: Date,
): Promise<{ places: number; inFlight: InFlightDeliveries[] }> {
  const { rows } = await connection.query<{ places: number; inFlight: InFlightDeliveries | null }>({
    name: 'read-deliveries-in-flight',
    // What a lost dispatcher was sending keeps its lease, as it may be sending yet; but it holds up nobody.
    text: `WITH alive AS MATERIALIZED (
             SELECT id, places FROM dispatcher WHERE heartbeat_at > now() - make_interval(secs => $2)
           ), in_flight AS (
             SELECT d.account_id, d.host, bool_or(r.prompt) AS prompt, count(*)::int AS count
               FROM delivery d LEFT JOIN receiver r ON r.account_id = d.account_id AND r.host = d.host
              WHERE d.status = 'pending' AND d.lease_until > $1
                AND (d.begun_attempt < d.attempt OR d.dispatcher_id IN (SELECT id FROM alive))
              GROUP BY d.account_id, d.host
           )
           SELECT alive.places, CASE WHEN f.host IS NOT NULL THEN
                  json_build_object('accountId', f.account_id, 'host', f.host, 'prompt', f.prompt, 'count', f.count) END
                  AS "inFlight"
             FROM (SELECT coalesce(sum(places), 0)::int AS places FROM alive) AS alive LEFT JOIN in_flight f ON true`,
    values: [at, dispatcherAliveS],
  });
  return {
    places: rows[0]?.places ?? 0,
    // Where nothing is in flight there is one row, for the places.
    inFlight: rows.flatMap(({ inFlight }) => inFlight ?? []),
  };
}

/**
 * The receivers that are due, each account's first, then each account's second and so on: an account with a thousand hosts
 * does not fill the round.
 *
 * Who records a delivery locks its receiver last: one that is locked is left out now and told of when it is free; what is
 * locked here is not changed by anybody until the round is over.
 */
async function lockDueReceivers(
  connection: Queryable,
  { accountIds, newOf, allNew, allSlow }: Blocked,
  at: Date,
): Promise<DueReceiver[]> {
  const { rows } = await connection.query<DueReceiver>({
    name: 'lock-due-receivers',
    text: `WITH due AS (
             SELECT account_id, host, next_due_at,
                    row_number() OVER (PARTITION BY account_id ORDER BY next_due_at) AS turn
               FROM receiver
              WHERE next_due_at <= $1 AND account_id <> ALL($2)
                AND CASE WHEN prompt IS NULL THEN NOT $4 AND account_id <> ALL($3) ELSE prompt OR NOT $5 END
           ), chosen AS MATERIALIZED (
             SELECT account_id, host, turn FROM due ORDER BY turn, next_due_at LIMIT $6
           )
           SELECT r.account_id AS "accountId", r.host, r.prompt
             FROM receiver r JOIN chosen USING (account_id, host)
            WHERE r.next_due_at <= $1
            ORDER BY chosen.turn, r.next_due_at FOR UPDATE OF r SKIP LOCKED`,
    values: [at, accountIds, newOf, allNew, allSlow, receiversAtMost],
  });
  return rows;
}

interface SharedReceiver extends ReceiverKey {
  places: number;
  atLimit: boolean;
}

const columnsOf = (receivers: readonly SharedReceiver[]) =>
  [receivers.map(({ accountId }) => accountId), receivers.map(({ host }) => host)] as const;

async function claim(
  connection: Queryable,
  form: ContractForm,
  receivers: readonly SharedReceiver[],
  at: Date,
): Promise<Pick<ClaimedRound, 'claims' | 'dueAt'>> {
  const withSlots = receivers.filter(({ places }) => places > 0);
  if (withSlots.length === 0) return nothing;
  const { rows } = await connection.query<ClaimedDelivery & { dueAt: Date }>({
    name: 'claim-deliveries',
    // The choice is a table of its own: inside an IN the planner may run it again for each row and claim more than it should.
    // It is joined as an array: the planner would take it for thousands of rows and read the whole backlog for them.
    text: `WITH due AS MATERIALIZED (
             SELECT chosen.id, chosen.due_at
               FROM unnest($1::text[], $2::text[], $3::int[]) AS receiver (account_id, host, places)
              CROSS JOIN LATERAL (
                SELECT id, next_attempt_at AS due_at FROM delivery d
                 WHERE d.account_id = receiver.account_id AND d.host = receiver.host
                   AND d.status = 'pending' AND d.next_attempt_at <= $4
                   AND ($6 OR d.lease_until IS NULL OR d.begun_attempt < d.attempt)
                 ORDER BY d.next_attempt_at LIMIT receiver.places FOR UPDATE SKIP LOCKED
              ) AS chosen
           ), claimed AS (
             UPDATE delivery d SET attempt = d.attempt + 1, lease_until = $5, next_attempt_at = $5
              WHERE d.id = ANY (ARRAY(SELECT id FROM due))
          RETURNING d.id, d.attempt
           )
           SELECT claimed.id, claimed.attempt, due.due_at AS "dueAt" FROM claimed JOIN due USING (id) ORDER BY due.due_at`,
    values: [
      ...columnsOf(withSlots),
      withSlots.map(({ places }) => places),
      at,
      new Date(at.getTime() + waitingLeaseMs),
      form.delivery.lostAttempt === 'send again',
    ],
  });
  return { claims: rows.map(({ id, attempt }) => ({ id, attempt })), dueAt: rows.map(({ dueAt }) => dueAt) };
}

/** When each of the receivers that were looked at is due again: with its next delivery, or, at its limit, a little later. */
async function setNextDue(connection: Queryable, receivers: readonly SharedReceiver[], at: Date): Promise<void> {
  await connection.query({
    name: 'set-next-due',
    text: `UPDATE receiver r
              SET at_limit = seen.at_limit AND coalesce(next.at <= $4, false),
                  next_due_at = CASE WHEN seen.at_limit AND next.at <= $4 THEN $5 ELSE next.at END
             FROM unnest($1::text[], $2::text[], $3::bool[]) AS seen (account_id, host, at_limit)
             LEFT JOIN LATERAL (
               SELECT d.next_attempt_at AS at FROM delivery d
                WHERE d.account_id = seen.account_id AND d.host = seen.host AND d.status = 'pending'
                ORDER BY d.next_attempt_at LIMIT 1
             ) AS next ON true
            WHERE r.account_id = seen.account_id AND r.host = seen.host`,
    values: [
      ...columnsOf(receivers),
      receivers.map(({ atLimit }) => atLimit),
      at,
      new Date(at.getTime() + lookAgainMs),
    ],
  });
}

/** What is left to claim. */
export interface Outlook {
  /** Something is due that could not be claimed yet: it waits for a place. */
  waiting: boolean;
  /** When the next thing becomes due; null if nothing is open. */
  nextDueAt: Date | null;
}

export async function deliveriesEstimate(database: Queryable, at: Date): Promise<Outlook> {
  const { rows } = await database.query<Outlook>({
    name: 'deliveries-outlook',
    text: `SELECT EXISTS (SELECT FROM receiver WHERE next_due_at <= $1) AS waiting,
                  (SELECT next_due_at FROM receiver WHERE next_due_at > $1 ORDER BY next_due_at LIMIT 1) AS "nextDueAt"`,
    values: [at],
  });
  return rows[0] ?? { waiting: false, nextDueAt: null };
}
