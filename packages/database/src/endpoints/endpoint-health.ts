import type pg from 'pg';
import { type Queryable, transaction } from '../database.ts';
import type { DeliveryAttempt } from '../deliveries/begin-attempt.ts';
import type { AttemptOutcome, DeliveryState } from '../deliveries/next-state.ts';
import { followEndpoint, noteBacklog } from './endpoint-deliveries.ts';

/** The time after which an endpoint is disabled if all its deliveries have failed: the contract's five days, in milliseconds. */
const failingAtMostMs = 5 * 86_400_000;

/**
 * Records since when all attempts at an endpoint have failed. After five days disables the endpoint with a reason and pauses its
 * open deliveries until it is resumed. Must be called after the outcome was recorded.
 *
 * @returns whether this call disabled the endpoint.
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

/** Disables the endpoint only if it still fails: a successful attempt, or its owner by resuming it, clears `failing_since`. */
async function disable(pool: pg.Pool, webhookId: string, reason: string, at: Date): Promise<boolean> {
  const disabled = await transaction(pool, async (connection) => {
    const { rowCount } = await connection.query(
      `UPDATE webhook_endpoint SET status = 'disabled', disabled_reason = $2
        WHERE id = $1 AND status = 'active' AND failing_since <= $3`,
      [webhookId, reason, new Date(at.getTime() - failingAtMostMs)],
    );
    if (rowCount !== 1) return false;
    await noteBacklog(connection, webhookId);
    return true;
  });
  if (disabled) await followEndpoint(pool, webhookId);
  return disabled;
}

/** The registered webhook endpoints of all accounts. */
export interface EndpointStates {
  active: number;
  paused: number;
  disabled: number;
  /** Active endpoints whose recent attempts have all failed. */
  failing: number;
  /** How long the endpoint that failed first has been failing, seconds; 0 if no endpoint is failing. */
  longestFailingS: number;
}

/** Reads the whole table, which is small because an account has few endpoints. */
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
