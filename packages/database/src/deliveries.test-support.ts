import type { ContractForm } from '@capture/contract/forms';
import { beginAttempt, type DeliveryAttempt } from './begin-attempt.ts';
import { type ClaimedDelivery, claimDeliveries } from './claim-deliveries.ts';
import type { Queryable } from './database.ts';
import { newId } from './ids.ts';
import { insertEvent } from './insert-event.ts';

export const webhookUrl = 'https://hooks.example.com/captures';
export const eventBody = Buffer.from('{"event":"capture.completed"}');

/** The moment at which the deliveries of these tests are due, as far as a test does not say otherwise. */
export const due = new Date('2026-11-20T10:00:00.000Z');

export const after = (from: Date, ms: number) => new Date(from.getTime() + ms);

/** Records an event of the account with its delivery, due at `at`, and returns the delivery's id. */
export async function insertDelivery(database: Queryable, accountId: string, at: Date = due): Promise<string> {
  const captureId = newId('req');
  const event = { name: 'capture.completed', body: eventBody } as const;
  await insertEvent(database, { accountId, webhookUrl }, event, { captureId, at });
  const { rows } = await database.query(
    `UPDATE delivery d SET next_attempt_at = $1 FROM event e
      WHERE e.id = d.event_id AND e.capture_id = $2 RETURNING d.id`,
    [at, captureId],
  );
  return rows[0].id;
}

/** Claims the one delivery that is due. */
export async function claimOne(database: Queryable, form: ContractForm, at: Date = due): Promise<ClaimedDelivery> {
  const [claim, ...others] = await claimDeliveries(database, form, { at, limit: 10 });
  if (!claim || others.length > 0) throw new Error(`not one delivery was due but ${others.length + (claim ? 1 : 0)}`);
  return claim;
}

/** Claims the one delivery that is due and begins its attempt. */
export async function beginOne(database: Queryable, form: ContractForm, at: Date = due): Promise<DeliveryAttempt> {
  const attempt = await beginAttempt(database, await claimOne(database, form, at), at);
  if (!attempt) throw new Error('the attempt could not be begun');
  return attempt;
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
