import type pg from 'pg';
import { type Queryable, transaction } from '../database.ts';
import type { DeliveryAttempt } from '../deliveries/begin-attempt.ts';
import type { AttemptOutcome, DeliveryState } from '../deliveries/next-state.ts';
import { pauseDeliveries } from './endpoint-deliveries.ts';

/** An endpoint whose every delivery failed for so long is disabled: five days, the contract's number, milliseconds. */
const failingAtMostMs = 5 * 86_400_000;

/**
 * Notes since when all attempts at an endpoint have failed, and disables it after five days of that, with the reason; its
 * open deliveries are then paused, and go out when it is set active again. To be called when the outcome is recorded.
 *
 * @returns whether it was disabled now.
 */
export async function noteEndpointHealth(
  pool: pg.Pool,
  { webhookId, failingSince }: DeliveryAttempt,
  { error, endedAt }: AttemptOutcome,
  state: DeliveryState,
): Promise<boolean> {
  if (webhookId === null) return false;
  if (error === null) {
    if (failingSince) await setFailingSince(pool, webhookId, null);
    return false;
  }
  if (!failingSince) {
    await setFailingSince(pool, webhookId, endedAt);
    return false;
  }
  if (state !== 'failed' || endedAt.getTime() - failingSince.getTime() < failingAtMostMs) return false;
  return disable(
    pool,
    webhookId,
    `every delivery has failed since ${failingSince.toISOString()}; the last one: ${error}`,
    endedAt,
  );
}

async function setFailingSince(database: Queryable, webhookId: string, at: Date | null): Promise<void> {
  await database.query(
    `UPDATE webhook_endpoint SET failing_since = $2
      WHERE id = $1 AND (failing_since IS NULL) = ($2::timestamptz IS NOT NULL)`,
    [webhookId, at],
  );
}

/** Only if it has not been mended meanwhile: an answer, or its owner who set it active again, clears `failing_since`. */
async function disable(pool: pg.Pool, webhookId: string, reason: string, at: Date): Promise<boolean> {
  return transaction(pool, async (connection) => {
    const { rowCount } = await connection.query(
      `UPDATE webhook_endpoint SET status = 'disabled', disabled_reason = $2
        WHERE id = $1 AND status = 'active' AND failing_since <= $3`,
      [webhookId, reason, new Date(at.getTime() - failingAtMostMs)],
    );
    if (rowCount !== 1) return false;
    await pauseDeliveries(connection, webhookId, at);
    return true;
  });
}

/** The registered webhook endpoints of all accounts. */
export interface EndpointStates {
  active: number;
  paused: number;
  disabled: number;
  /** Active ones whose last attempts have all failed. */
  failing: number;
  /** For how long the one has that has failed the longest, seconds; 0 where none does. */
  longestFailingS: number;
}

/** Reads the whole table: an account has a handful of endpoints. */
export async function readEndpointStates(database: Queryable): Promise<EndpointStates> {
  const { rows } = await database.query({
    name: 'read-endpoint-states',
    text: `SELECT count(*) FILTER (WHERE status = 'active')::int AS active,
                  count(*) FILTER (WHERE status = 'paused')::int AS paused,
                  count(*) FILTER (WHERE status = 'disabled')::int AS disabled,
                  count(*) FILTER (WHERE status = 'active' AND failing_since IS NOT NULL)::int AS failing,
                  greatest(0, coalesce(extract(epoch FROM
                    now() - min(failing_since) FILTER (WHERE status = 'active')), 0))::float8 AS "longestFailingS"
             FROM webhook_endpoint`,
  });
  return rows[0];
}
