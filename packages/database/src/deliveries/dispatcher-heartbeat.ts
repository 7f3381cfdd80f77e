import type { Queryable } from '../database.ts';

/**
 * Records that a dispatcher is alive, and how many deliveries it sends at once. Called every second.
 *
 * @returns the database's time.
 */
export async function sendDispatcherHeartbeat(
  database: Queryable,
  dispatcher: { id: string; slots: number },
): Promise<Date> {
  const { rows } = await database.query({
    name: 'send-dispatcher-heartbeat',
    text: `INSERT INTO dispatcher (id, places, heartbeat_at) VALUES ($1, $2, now())
           ON CONFLICT (id) DO UPDATE SET places = excluded.places, heartbeat_at = excluded.heartbeat_at
           RETURNING heartbeat_at AS at`,
    values: [dispatcher.id, dispatcher.slots],
  });
  return rows[0].at;
}

/** Removes a dispatcher that shuts down, so that no more deliveries are claimed for its slots. */
export async function deleteDispatcher(database: Queryable, id: string): Promise<void> {
  await database.query('DELETE FROM dispatcher WHERE id = $1', [id]);
}

/** Deletes dispatchers whose last heartbeat is a day old. */
export async function deleteDeadDispatchers(database: Queryable): Promise<void> {
  await database.query(`DELETE FROM dispatcher WHERE heartbeat_at < now() - interval '1 day'`);
}
