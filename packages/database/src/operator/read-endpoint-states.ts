import type { Queryable } from '../database.ts';

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
