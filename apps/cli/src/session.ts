import { setMaxListeners } from 'node:events';
import { exitCodes } from './exit-codes.ts';

/** Prints a line for the user to standard error, because standard output is for files and records. */
export type Report = (line: string) => void;

/** The environment, output and interruption of a command. */
export interface Session {
  env: NodeJS.ProcessEnv;
  report: Report;
  /** The signal that the first Ctrl-C aborts, for an orderly shutdown. */
  signal: AbortSignal;
  /** @param end cleanup that must run even when the user presses Ctrl-C again. */
  onSecondInterrupt(end: () => void): void;
}

/** The reason of an interrupted command. */
export class Interrupted extends Error {
  override name = 'Interrupted';
}

/** Signals within this time count as one, because npm repeats a signal that the terminal sent to its group. Milliseconds. */
const sameSignalMs = 500;

/** Opens the session of this process and handles its signals. */
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
