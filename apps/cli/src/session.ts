import { setMaxListeners } from 'node:events';
import { exitCodes } from './exit-codes.ts';

/** Prints a line for the user to standard error; standard output is for files and records. */
export type Report = (line: string) => void;

/** What every command has: where settings come from, whom to tell, and when to end. */
export interface Session {
  env: NodeJS.ProcessEnv;
  report: Report;
  /** Aborted by the first Ctrl-C: what is under way is ended in order. */
  signal: AbortSignal;
  /** @param end what must not be left behind even when somebody presses it again. */
  onSecondInterrupt(end: () => void): void;
}

/** Why the work ended early. */
export class Interrupted extends Error {
  override name = 'Interrupted';
}

/** A terminal sends the signal to all of its group and npm passes it on: two within this time are one, milliseconds. */
const sameSignalMs = 500;

/** The session of this process, which from now on takes its signals. */
export function openSession(report: Report): Session {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const ends: (() => void)[] = [];
  let first = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!stopping.signal.aborted) {
        first = performance.now();
        stopping.abort(new Interrupted(signal));
      } else if (performance.now() - first > sameSignalMs) {
        for (const end of ends) end();
        process.exit(exitCodes.interrupted);
      }
    });
  }
  return {
    env: process.env,
    report,
    signal: stopping.signal,
    onSecondInterrupt: (end) => ends.push(end),
  };
}
