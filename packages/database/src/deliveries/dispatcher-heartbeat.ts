import type { Queryable } from '../database.ts';

/** A dispatcher's sign of life: that it is there and sends so many deliveries at once. To be sent every second. */
export async function sendDispatcherHeartbeat(
  database: Queryable,
  dispatcher: { id: string; places: number },
): Promise<void> {
  await database.query({
    name: 'send-dispatcher-heartbeat',
    text: `INSERT INTO dispatcher (id, places, heartbeat_at) VALUES ($1, $2, now())
           ON CONFLICT (id) DO UPDATE SET places = excluded.places, heartbeat_at = excluded.heartbeat_at`,
    values: [dispatcher.id, dispatcher.places],
  });
}

/** A dispatcher stops in order: nothing is claimed for its places any more. */
export async function deleteDispatcher(database: Queryable, id: string): Promise<void> {
  await database.query('DELETE FROM dispatcher WHERE id = $1', [id]);
}

/** Removes the rows of dispatchers that have been lost for a day. */
export async function deleteDeadDispatchers(database: Queryable): Promise<void> {
  await database.query(`DELETE FROM dispatcher WHERE heartbeat_at < now() - interval '1 day'`);
}
