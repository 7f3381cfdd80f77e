import type { ContractForm } from '@capture/contract/forms/forms';
import type pg from 'pg';
import { type Queryable, transaction } from '../database.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';
import { isClaimed, timeOf } from './delivery-conditions.ts';
import { makeReceiversDue, type ReceiverKey } from './receivers.ts';

/**
 * Makes deliveries whose claims could not be queued in Redis due at once. A claim whose attempt has begun is left alone, because
 * Redis had accepted it after all.
 */
export async function returnClaims(
  pool: pg.Pool,
  claims: readonly ClaimedDelivery[],
  at: Date | null = null,
): Promise<void> {
  await transaction(pool, async (connection) => {
    const { rows } = await connection.query<ReceiverKey>(
      `UPDATE delivery d SET lease_until = NULL, next_attempt_at = ${timeOf('$3')}
         FROM unnest($1::text[], $2::int[]) AS claim (id, attempt)
        WHERE d.id = claim.id AND ${isClaimed('d.', 'claim.attempt')} AND d.begun_attempt < d.attempt
        RETURNING d.account_id AS "accountId", d.host`,
      [claims.map((claim) => claim.id), claims.map((claim) => claim.attempt), at],
    );
    await makeReceiversDue(connection, rows, at);
  });
}

/**
 * In a form that never sends twice, deletes the deliveries whose only attempt was in progress when its dispatcher died. A claimed
 * delivery whose attempt did not begin was not sent and is claimed again.
 *
 * @returns the ids of the deleted deliveries.
 */
export async function dropLostAttempts(
  database: Queryable,
  form: ContractForm,
  at: Date | null = null,
): Promise<string[]> {
  if (form.delivery.lostAttempt === 'send again') return [];
  const { rows } = await database.query(
    `WITH lost AS (
       DELETE FROM delivery
        WHERE status = 'pending' AND lease_until <= ${timeOf('$1')} AND begun_attempt = attempt
       RETURNING id, event_id
     ), attempts AS (
       DELETE FROM delivery_attempt WHERE delivery_id = ANY (ARRAY(SELECT id FROM lost))
     ), forgotten AS (
       DELETE FROM event e USING lost
        WHERE e.id = lost.event_id
          AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.event_id = e.id AND d.id NOT IN (SELECT id FROM lost))
     )
     SELECT id FROM lost`,
    [at],
  );
  return rows.map((row) => row.id);
}
