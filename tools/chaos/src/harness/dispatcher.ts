import type { Database } from '@capture/database/database';
import { startService, type TestProcess } from '@capture/testing/processes';
import { waitUntil } from '@capture/testing/wait-until';

/** A `webhook-dispatcher`, a process of its own. */
export interface Dispatcher {
  process: TestProcess;
  /** As its heartbeat names it. */
  id: string;
}

/** @param known the ids of all that were started before: dispatchers are started one after the other. */
export async function startDispatcher(
  environment: Record<string, string>,
  database: Database,
  known: readonly string[],
  checkout: string,
): Promise<Dispatcher> {
  const process = await startService('webhook-dispatcher', environment, checkout);
  const id = await waitUntil(
    async () => {
      const { rows } = await database.pool.query('SELECT id FROM dispatcher WHERE id <> ALL($1)', [known]);
      return rows[0]?.id as string | undefined;
    },
    { what: "a new dispatcher's heartbeat" },
  );
  return { process, id };
}

/** How many attempts a dispatcher that was killed had under way. */
export async function countLostAttempts({ pool }: Database, dispatcherId: string): Promise<number> {
  const { rows } = await pool.query(
    `SELECT count(*)::int AS lost FROM delivery
      WHERE status = 'pending' AND dispatcher_id = $1 AND lease_until IS NOT NULL AND begun_attempt = attempt`,
    [dispatcherId],
  );
  return rows[0].lost;
}
