import type { ContractForm } from '@capture/contract/forms/forms';
import type { Queryable } from '../database.ts';

/**
 * Ends the deliveries whose one attempt was under way when its dispatcher died, in a form that never sends twice. One
 * that was claimed but never begun was not sent; it stays and is claimed again.
 *
 * @returns the ids of those that were dropped.
 */
export async function dropLostAttempts(database: Queryable, form: ContractForm, at: Date): Promise<string[]> {
  if (form.delivery.lostAttempt === 'send again') return [];
  const { rows } = await database.query(
    `WITH lost AS (
       DELETE FROM delivery
        WHERE status = 'pending' AND lease_until <= $1 AND begun_attempt = attempt
       RETURNING id, event_id
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
