import { hostname } from 'node:os';
import type { Database } from '@capture/database/database';
import type { RunningService, Services } from '@capture/testing/processes/platform';
import { listProcesses } from '@capture/testing/processes/process-list';
import type { TestProcess } from '@capture/testing/processes/processes';
import { waitUntil } from '@capture/testing/wait-until';

/** An `api-gateway` in a separate process. */
export type Gateway = RunningService;

/** A `capture-worker` in a separate process, with Chromium as its child. */
export interface CaptureWorker {
  process: TestProcess;
  /** The beginning of the worker's id in the database. */
  idPrefix: string;
}

export interface WorkerOptions {
  /** Pages rendered at once; 2 by default. */
  concurrency?: number;
  env?: Record<string, string>;
}

export async function startWorker(
  services: Services,
  { concurrency = 2, env }: WorkerOptions,
  checkout: string,
): Promise<CaptureWorker> {
  const settings = { CAPTURE_CONCURRENCY: String(concurrency), ...env };
  const { process } = await services.start('capture-worker', settings, checkout);
  return { process, idPrefix: `${hostname()}-${process.pid}-` };
}

/** Returns the process groups of the worker's running browsers. Each is the pid of a leader. */
export function listBrowsers({ process }: CaptureWorker): number[] {
  return listProcesses()
    .filter(({ parent, commandLine }) => parent === process.pid && commandLine.includes('--user-data-dir'))
    .map(({ group }) => group);
}

/** Kills a worker's browsers, each with all its processes. Returns their number. */
export function killBrowsers(worker: CaptureWorker): number {
  const groups = listBrowsers(worker);
  for (const group of groups) {
    try {
      process.kill(-group, 'SIGKILL');
    } catch {
      // The browser has exited meanwhile.
    }
  }
  return groups.length;
}

/** A `webhook-dispatcher` in a separate process. */
export interface Dispatcher {
  process: TestProcess;
  /** The id in its heartbeat. */
  id: string;
}

/** @param known the ids of all dispatchers that were started before, because dispatchers start one at a time. */
export async function startDispatcher(
  services: Services,
  database: Database,
  known: readonly string[],
  env: Record<string, string>,
  checkout: string,
): Promise<Dispatcher> {
  const { process } = await services.start('webhook-dispatcher', env, checkout);
  const id = await waitUntil(
    async () => {
      const { rows } = await database.pool.query('SELECT id FROM dispatcher WHERE id <> ALL($1)', [known]);
      return rows[0]?.id as string | undefined;
    },
    { what: "a new dispatcher's heartbeat" },
  );
  return { process, id };
}

/** Counts the attempts that a killed dispatcher had in progress. */
export async function countLostAttempts({ pool }: Database, dispatcherId: string): Promise<number> {
  const { rows } = await pool.query(
    `SELECT count(*)::int AS lost FROM delivery
      WHERE status = 'pending' AND dispatcher_id = $1 AND lease_until IS NOT NULL AND begun_attempt = attempt`,
    [dispatcherId],
  );
  return rows[0].lost;
}
