import type { ContractForm } from '@capture/contract/forms/forms';
import type pg from 'pg';
import { type Queryable, queryInIndexOrder, transaction } from '../database.ts';
import { dispatcherAliveS } from '../liveness.ts';
import { claimLock } from '../locks.ts';
import { timeOf } from './delivery-conditions.ts';
import { type AccountPosition, countDue, lockDueReceivers } from './lock-due-receivers.ts';
import type { ReceiverKey } from './receivers.ts';
import { type InFlightDeliveries, type SlotRules, slotRules } from './share-slots.ts';

/**
 * How long a claim is valid while it waits in the queue, milliseconds. A round claims only as many deliveries as there are free
 * slots, so an attempt starts at once. If it does not start, Redis has lost the job and the delivery is claimed again.
 */
export const waitingLeaseMs = 10_000;

/** A receiver that holds all its slots is checked again after this many milliseconds, unless an outcome is recorded earlier. */
const recheckMs = 1_000;

/** A delivery claimed by a dispatcher. Only the newest attempt may be sent and recorded. */
export interface ClaimedDelivery {
  id: string;
  attempt: number;
}

/** The result of one round. */
export interface ClaimedRound {
  /** The claimed deliveries, the longest due first. */
  claims: ClaimedDelivery[];
  /** When each claimed delivery became due. */
  dueAt: Date[];
  /** Whether this round did not read all due receivers: another round may find slots for the rest. */
  more: boolean;
}

/**
 * Claims due deliveries, as many as the rules give free slots to. Rounds of all processes run one after the other. A claim
 * expires with its lease, and the delivery is then due again. If its dispatcher died, the delivery is sent again (Form B) or, if
 * its attempt had started, dropped (Form A, see `dropLostAttempts`).
 *
 * @param at the current time; by default the time of the database.
 * @param position changed by the round; all rounds of a process share it.
 */
export async function claimDeliveries(
  pool: pg.Pool,
  form: ContractForm,
  at: Date | null = null,
  rules: SlotRules = slotRules,
  position: AccountPosition = { after: '' },
): Promise<ClaimedRound> {
  return transaction(
    pool,
    async (connection) => {
      const before = await readInFlight(connection, at);
      if (before.due === 0) return nothing;
      if (before.inFlight.reduce((sum, { count }) => sum + count, 0) >= before.slots) return nothing;
      const blocked = rules.blocked(before.slots, before.inFlight);
      const { due, more } = await lockDueReceivers(connection, blocked, at, before.due, position);
      if (due.length === 0) return { ...nothing, more };
      // The slots and deliveries in flight are read again now that the receivers are locked: earlier outcomes are counted, and
      // later outcomes wait for this round before they release their slots. Otherwise a receiver whose attempts all ended in
      // between would be marked as at its limit.
      const { slots, inFlight } = await readInFlight(connection, at);
      const shares = rules.share(slots, inFlight, due);
      const receivers = due.map((receiver, index) => ({
        ...receiver,
        ...(shares[index] ?? { slots: 0, atLimit: false }),
      }));
      const claimed = await claim(connection, form, receivers, at);
      await setNextDue(connection, receivers, at);
      return { ...claimed, more: more && (claimed.claims.length > 0 || position.after !== '') };
    },
    `SELECT pg_advisory_xact_lock(${claimLock})`,
  );
}

const nothing: ClaimedRound = { claims: [], dueAt: [], more: false };

async function readInFlight(
  connection: Queryable,
  at: Date | null,
): Promise<{ slots: number; due: number; inFlight: InFlightDeliveries[] }> {
  const { rows } = await connection.query<{ places: number; due: number; inFlight: InFlightDeliveries | null }>({
    name: 'read-deliveries-in-flight',
    // The deliveries of a lost dispatcher keep their lease, because it may still be sending, but they take no slots.
    text: `WITH alive AS MATERIALIZED (
             SELECT id, places FROM dispatcher WHERE heartbeat_at > now() - make_interval(secs => $2)
           ), in_flight AS (
             SELECT d.account_id, d.host, bool_or(r.prompt) AS prompt, count(*)::int AS count
               FROM delivery d LEFT JOIN receiver r ON r.account_id = d.account_id AND r.host = d.host
              WHERE d.status = 'pending' AND d.lease_until > ${timeOf('$1')}
                AND (d.begun_attempt < d.attempt OR d.dispatcher_id IN (SELECT id FROM alive))
              GROUP BY d.account_id, d.host
           )
           SELECT alive.places, alive.due, CASE WHEN f.host IS NOT NULL THEN
                  json_build_object('accountId', f.account_id, 'host', f.host, 'prompt', f.prompt, 'count', f.count) END
                  AS "inFlight"
             FROM (SELECT coalesce(sum(places), 0)::int AS places, (${countDue('$1')}) AS due FROM alive) AS alive
             LEFT JOIN in_flight f ON true`,
    values: [at, dispatcherAliveS],
  });
  return {
    slots: rows[0]?.places ?? 0,
    due: rows[0]?.due ?? 0,
    // If nothing is in flight, there is one row, which contains the slots.
    inFlight: rows.flatMap(({ inFlight }) => inFlight ?? []),
  };
}

interface SharedReceiver extends ReceiverKey {
  slots: number;
  atLimit: boolean;
}

const receiverColumns = (receivers: readonly SharedReceiver[]) =>
  [receivers.map(({ accountId }) => accountId), receivers.map(({ host }) => host)] as const;

async function claim(
  connection: Queryable,
  form: ContractForm,
  receivers: readonly SharedReceiver[],
  at: Date | null,
): Promise<Pick<ClaimedRound, 'claims' | 'dueAt'>> {
  const withSlots = receivers.filter(({ slots }) => slots > 0);
  if (withSlots.length === 0) return nothing;
  const { rows } = await queryInIndexOrder<ClaimedDelivery & { dueAt: Date }>(connection, {
    name: 'claim-deliveries',
    // The choice is materialized, because inside an IN the planner may run it again for each row and claim too many. It is joined
    // as an array, because the planner would expect thousands of rows and read the whole backlog.
    text: `WITH due AS MATERIALIZED (
             SELECT chosen.id, chosen.due_at
               FROM unnest($1::text[], $2::text[], $3::int[]) AS receiver (account_id, host, places)
              CROSS JOIN LATERAL (
                SELECT id, next_attempt_at AS due_at FROM delivery d
                 WHERE d.account_id = receiver.account_id AND d.host = receiver.host
                   AND d.status = 'pending' AND d.next_attempt_at <= ${timeOf('$4')}
                   AND ($6 OR d.lease_until IS NULL OR d.begun_attempt < d.attempt)
                 ORDER BY d.next_attempt_at LIMIT receiver.places FOR UPDATE SKIP LOCKED
              ) AS chosen
           ), claimed AS (
             UPDATE delivery d SET attempt = d.attempt + 1, lease_until = lease.until, next_attempt_at = lease.until
               FROM (SELECT ${timeOf('$4')} + make_interval(secs => $5) AS until) AS lease
              WHERE d.id = ANY (ARRAY(SELECT id FROM due))
          RETURNING d.id, d.attempt
           )
           SELECT claimed.id, claimed.attempt, due.due_at AS "dueAt" FROM claimed JOIN due USING (id) ORDER BY due.due_at`,
    values: [
      ...receiverColumns(withSlots),
      withSlots.map(({ slots }) => slots),
      at,
      waitingLeaseMs / 1_000,
      form.delivery.lostAttempt === 'send again',
    ],
  });
  return { claims: rows.map(({ id, attempt }) => ({ id, attempt })), dueAt: rows.map(({ dueAt }) => dueAt) };
}

/** Makes each receiver of the round due again: with its next delivery or, at its limit, a little later. */
async function setNextDue(connection: Queryable, receivers: readonly SharedReceiver[], at: Date | null): Promise<void> {
  await queryInIndexOrder(connection, {
    name: 'set-next-due',
    text: `UPDATE receiver r
              SET at_limit = seen.at_limit AND coalesce(next.at <= ${timeOf('$4')}, false),
                  next_due_at = CASE WHEN seen.at_limit AND next.at <= ${timeOf('$4')}
                                     THEN ${timeOf('$4')} + make_interval(secs => $5) ELSE next.at END
             FROM unnest($1::text[], $2::text[], $3::bool[]) AS seen (account_id, host, at_limit)
             LEFT JOIN LATERAL (
               SELECT d.next_attempt_at AS at FROM delivery d
                WHERE d.account_id = seen.account_id AND d.host = seen.host AND d.status = 'pending'
                ORDER BY d.next_attempt_at LIMIT 1
             ) AS next ON true
            WHERE r.account_id = seen.account_id AND r.host = seen.host`,
    values: [...receiverColumns(receivers), receivers.map(({ atLimit }) => atLimit), at, recheckMs / 1_000],
  });
}

/** The deliveries that remain to be claimed. */
export interface DueState {
  /** Whether a delivery is due but waits for a free slot. */
  waiting: boolean;
  /** The milliseconds until the next delivery becomes due; null if none is open. */
  nextDueInMs: number | null;
}

export async function readDueState(database: Queryable, at: Date | null = null): Promise<DueState> {
  const { rows } = await database.query<DueState>({
    name: 'deliveries-outlook',
    text: `SELECT EXISTS (SELECT FROM receiver WHERE next_due_at <= ${timeOf('$1')}) AS waiting,
                  (SELECT extract(epoch FROM next_due_at - ${timeOf('$1')}) * 1000 FROM receiver
                    WHERE next_due_at > ${timeOf('$1')} ORDER BY next_due_at LIMIT 1)::float8 AS "nextDueInMs"`,
    values: [at],
  });
  return rows[0] ?? { waiting: false, nextDueInMs: null };
}
