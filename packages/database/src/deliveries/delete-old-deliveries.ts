import type { Queryable } from '../database.ts';
import { firstIdAt } from '../ids.ts';
import { inSlices } from '../in-slices.ts';

/** How long the log of a delivery is kept: the contract's 30 days, milliseconds. */
const retentionMs = 30 * 86_400_000;

/** Deliveries of one statement: it runs for a fraction of a second, so that nothing waits for it. */
const chunkSize = 1_000;

/**
 * Deletes deliveries that ended more than 30 days ago, with their attempts and the events that no other delivery needs. In
 * small statements, so that it can stop anywhere.
 *
 * @returns how many deliveries were deleted.
 */
export async function deleteOldDeliveries(database: Queryable, at: Date): Promise<number> {
  const before = new Date(at.getTime() - retentionMs);
  let deleted = 0;
  for (const status of ['delivered', 'failed']) {
    deleted += await inSlices(chunkSize, async (size) => {
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
        // An old delivery has an older id, so the index holds them together.
        [status, firstIdAt('dlv', before), before, size],
      );
      return rows[0].removed;
    });
  }
  return deleted;
}

/** Deletes receivers without open deliveries. A receiver that returns counts as new. */
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
