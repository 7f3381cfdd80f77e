import { noteOpen } from './open-resources.ts';
import { waitUntil } from './wait-until.ts';

/** What a server of a test's own can be told; Postgres and Redis alike. */
interface Server {
  pid: number;
  exited: Promise<unknown>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  kill(): void;
  unref(): void;
}

/** A server that can be started again after `stop` or `kill`: on the same folder, at the same address. */
export type OwnServer<Started extends Server> = Started & { restart(): Promise<void> };

/**
 * Starts a server for one test alone, which may kill it.
 *
 * @param name how a failure names it when it was left open.
 * @param start starts it, each time on the same folder and port.
 */
export async function startOwnServer<Started extends Server>(
  name: string,
  start: () => Promise<Started>,
): Promise<OwnServer<Started>> {
  let server = await start();
  const stop = async () => {
    closed();
    await server.stop();
  };
  const closed = noteOpen(`own ${name} (pid ${server.pid})`, stop);
  return {
    ...server,
    get pid() {
      return server.pid;
    },
    get exited() {
      return server.exited;
    },
    stop,
    kill: () => server.kill(),
    unref: () => server.unref(),
    async restart() {
      await server.exited;
      // Processes of a Postgres that was killed may outlive it for a moment; until they are gone no other one starts.
      server = await waitUntil(start, { what: `${name} to start again` });
    },
  };
}
