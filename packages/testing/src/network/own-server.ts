import { noteOpen } from '../open-resources.ts';
import { waitUntil } from '../wait-until.ts';

interface Server {
  pid: number;
  exited: Promise<unknown>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  kill(): void;
  unref(): void;
}

/** A server that can restart after `stop` or `kill`, with the same data and address. */
export type OwnServer<Started extends Server> = Started & { restart(): Promise<void> };

/**
 * Starts a server for one test alone, which may kill it.
 *
 * @param name the name in failures.
 * @param start starts the server, each time with the same folder and port.
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
      // Child processes of a killed Postgres may outlive it briefly, and block the next start.
      server = await waitUntil(start, { what: `${name} to start again` });
    },
  };
}
