import type { Queryable } from '../database.ts';
import { firstIdAt } from '../ids.ts';

/** How long the log of a delivery is kept: 30 days, the contract's number, milliseconds. */
const keptForMs = 30 * 86_400_000;

/** Deliveries that one statement removes: a fraction of a second's work, so that nothing waits for it. */
const atOnce = 1_000;

/**
 * Removes the logs of deliveries that ended 30 days ago, with their attempts and the events that no other delivery needs;
 * never one that is open. In small statements, so that it can be broken off anywhere.
 *
 * @returns how many deliveries were removed.
 */
export async function deleteOldDeliveries(database: Queryable, at: Date): Promise<number> {
  const before = new Date(at.getTime() - keptForMs);
  let removed = 0;
  for (const status of ['delivered', 'failed']) {
    for (;;) {
      const { rows } = await database.query(
        `WITH old AS MATERIALIZED (
           SELECT id FROM delivery
            WHERE status = $1 AND id < $2 AND completed_at < $3
            ORDER BY id LIMIT $4 FOR UPDATE SKIP LOCKED
         ), gone AS (
           DELETE FROM delivery d USING old WHERE d.id = old.id RETURNING d.id, d.event_id
         ), forgotten AS (
           DELETE FROM event e
            WHERE e.id IN (SELECT event_id FROM gone)
              AND NOT EXISTS (SELECT FROM delivery d WHERE d.event_id = e.id AND d.id NOT IN (SELECT id FROM gone))
         )
         SELECT count(*)::int AS removed FROM gone`,
        // The id of an old delivery is older yet: the index has them together.
        [status, firstIdAt('dlv', before), before, atOnce],
      );
      removed += rows[0].removed;
      if (rows[0].removed < atOnce) break;
    }
  }
  return removed;
}

/** Removes receivers that nothing is open for. One that comes again starts anew. */
export async function deleteIdleReceivers(database: Queryable): Promise<number> {
  const { rowCount } = await database.query(
    `DELETE FROM receiver r
      WHERE r.next_due_at IS NULL
        AND NOT EXISTS (SELECT FROM delivery d
                         WHERE d.account_id = r.account_id AND d.host = r.host AND d.status = 'pending')
        AND (r.account_id, r.host) IN (
              SELECT account_id, host FROM receiver WHERE next_due_at IS NULL FOR UPDATE SKIP LOCKED)`,
  );
  return rowCount ?? 0;
}
