import { type ContractForm, forms } from '@capture/contract/forms/forms';
import type pg from 'pg';
import { endpointSecretOf } from '../accounts/signing-secret.ts';
import { encryptor } from '../captures/captures.test-support.ts';
import type { Queryable } from '../database.ts';
import { newId } from '../ids.ts';
import { beginAttempt, type DeliveryAttempt } from './begin-attempt.ts';
import { type ClaimedDelivery, claimDeliveries } from './claim-deliveries.ts';
import { sendDispatcherHeartbeat } from './dispatcher-heartbeat.ts';
import type { EventReceiver } from './insert-event.ts';
import { insertEvent } from './insert-event.ts';
import type { AttemptOutcome } from './next-state.ts';
import { makeReceiversDue } from './receivers.ts';
import { nothingBlocked, type SlotRules } from './share-slots.ts';

export const webhookUrl = 'https://hooks.example.com/captures';
export const eventBody = Buffer.from('{"event":"capture.completed"}');

/** When the deliveries of these tests are due, unless a test says otherwise. */
export const due = new Date('2026-11-20T10:00:00.000Z');

export const after = (from: Date, ms: number) => new Date(from.getTime() + ms);

/** Records an event of the account with a delivery that is due at `at`. @returns the delivery's id. */
export async function insertDelivery(
  database: Queryable,
  accountId: string,
  at: Date = due,
  destination: Partial<EventReceiver> = {},
): Promise<string> {
  const captureId = newId('req');
  const event = { name: 'capture.completed', body: eventBody } as const;
  const receiver = { webhookId: null, url: webhookUrl, paused: false, ...destination };
  const keys = await insertEvent(database, accountId, [receiver], event, { captureId, at });
  const { rows } = await database.query(
    `UPDATE delivery d SET next_attempt_at = CASE WHEN status = 'pending' THEN $1::timestamptz END FROM event e
      WHERE e.id = d.event_id AND e.capture_id = $2 RETURNING d.id`,
    [at, captureId],
  );
  await makeReceiversDue(database, keys, at);
  return rows[0].id;
}

/** Registers an endpoint of the account for every event. */
export async function insertEndpoint(database: Queryable, accountId: string, secret = 'whsec_REVG'): Promise<string> {
  const id = newId('wh');
  await database.query(
    `INSERT INTO webhook_endpoint (id, account_id, url, events, signing_secret, created_at)
     VALUES ($1, $2, $3, $6, $4, $5)`,
    [id, accountId, webhookUrl, encryptor.encrypt(secret, endpointSecretOf(id)), due, forms.B.events.names],
  );
  return id;
}

export const dispatcherId = 'dispatcher-1';

/** Sends the heartbeat of a dispatcher. */
export const beAlive = (database: Queryable, slots = 1_000, id = dispatcherId) =>
  sendDispatcherHeartbeat(database, { id, slots });

/** Gives every receiver up to `limit` slots. */
export const upTo = (limit: number): SlotRules => ({
  blocked: () => nothingBlocked,
  share: (_slots, _inFlight, receivers) => receivers.map(() => ({ slots: limit, atLimit: false })),
});

export const claimRound = async (pool: pg.Pool, form: ContractForm, rules: SlotRules, at: Date) =>
  (await claimDeliveries(pool, form, at, rules)).claims;

/** Claims the due deliveries for a live dispatcher. */
export async function claimAll(
  pool: pg.Pool,
  form: ContractForm,
  at: Date = due,
  limit = 100,
): Promise<ClaimedDelivery[]> {
  await beAlive(pool);
  return claimRound(pool, form, upTo(limit), at);
}

/** Claims the one delivery that is due. */
export async function claimOne(pool: pg.Pool, form: ContractForm, at: Date = due): Promise<ClaimedDelivery> {
  const [claim, ...others] = await claimAll(pool, form, at);
  if (!claim || others.length > 0) throw new Error(`not one delivery was due but ${others.length + (claim ? 1 : 0)}`);
  return claim;
}

export const begin = (database: Queryable, form: ContractForm, claim: ClaimedDelivery, at: Date = due) =>
  beginAttempt(database, form, claim, { dispatcherId, at });

/** Begins the attempt of a claim, which must be valid. */
export async function beginClaimed(
  database: Queryable,
  form: ContractForm,
  claim: ClaimedDelivery | undefined,
  at: Date = due,
): Promise<DeliveryAttempt> {
  const attempt = claim && (await begin(database, form, claim, at));
  if (!attempt) throw new Error('the attempt did not begin');
  return attempt;
}

/** Claims the one delivery that is due and begins its attempt. */
export const beginOne = async (pool: pg.Pool, form: ContractForm, at: Date = due) =>
  beginClaimed(pool, form, await claimOne(pool, form, at), at);

/** How long an attempt holds its delivery, milliseconds. */
export const leaseMs = (form: ContractForm) => form.delivery.timeoutMs + 30_000;

/** The outcome of an attempt that began at `startedAt`. */
export function outcomeOf(startedAt: Date, status: number | null, error: string | null): AttemptOutcome {
  const responseExcerpt = status === null ? null : `response ${status}`;
  return { startedAt, endedAt: after(startedAt, 137), status, error, responseExcerpt };
}

export async function receiverOf(database: Queryable, accountId: string, host = 'hooks.example.com') {
  const { rows } = await database.query(
    'SELECT next_due_at, at_limit, prompt FROM receiver WHERE account_id = $1 AND host = $2',
    [accountId, host],
  );
  return rows[0];
}

export async function attemptsOf(database: Queryable, deliveryId: string) {
  const { rows } = await database.query('SELECT * FROM delivery_attempt WHERE delivery_id = $1 ORDER BY number', [
    deliveryId,
  ]);
  return rows;
}

export async function countRows(database: Queryable) {
  const { rows } = await database.query(
    `SELECT (SELECT count(*)::int FROM delivery) AS deliveries, (SELECT count(*)::int FROM event) AS events,
            (SELECT count(*)::int FROM delivery_attempt) AS attempts`,
  );
  return rows[0];
}
