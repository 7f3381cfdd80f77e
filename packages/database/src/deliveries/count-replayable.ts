import type { Queryable } from '../database.ts';
import { firstOfEach, rangeConditions } from './delivery-range.ts';
import type { Replay } from './replay-deliveries.ts';

/** Where counting ends: whoever is asked whether to go on needs no exact number beyond it. */
export const countedAtMost = 100_000;

/** How many deliveries `replayDeliveries` would send again, counted up to 100,000. */
export async function countReplayable(database: Queryable, replay: Replay): Promise<number> {
  const values: unknown[] = [countedAtMost, replay.at];
  const conditions = rangeConditions({ ...replay, until: replay.until ?? replay.at }, values);
  conditions.push('d.completed_at <= $2', '(d.webhook_id IS NULL OR e.id IS NOT NULL)');
  const select = 'd.id FROM delivery d LEFT JOIN webhook_endpoint e ON e.id = d.webhook_id';
  const { rows } = await database.query(
    `SELECT count(*)::int AS count FROM (${firstOfEach(replay.statuses, replay, { select, conditions }, 'ASC', '$1')}) AS meant`,
    values,
  );
  return rows[0].count;
}
