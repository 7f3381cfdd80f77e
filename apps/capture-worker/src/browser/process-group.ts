import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { Deadline, pause } from '../deadline.ts';

/** How long the last processes of a killed group may take to be gone, milliseconds. */
const goneWithinMs = 2_000;

/** Sends a signal to every process of a group; false when it has none. */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, signal);
  } catch {
    return false;
  }
}

/**
 * Whether a process of the group still runs. One that has ended and was not yet taken note of by its parent (a zombie)
 * does not; where the system's first process does so late or never, as in a container without an init, `kill` would find
 * it all the same.
 */
export function groupRuns(leader: number): boolean {
  if (!signalGroup(leader, 0)) return false;
  if (process.platform !== 'linux') return true;
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && isMember(name, leader));
}

/** Whether a process, by its name in `/proc`, runs and is one of a group. */
export function isMember(pid: string, leader: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // After the name in brackets, which may hold anything: state, parent, group.
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(group) === leader && state !== 'Z' && state !== 'X';
  } catch {
    return false;
  }
}

/** A process that leads a group of its own (`detached`), with all that it starts. */
export class ProcessGroup {
  readonly pid: number;
  /** How the first process ended; rejects when it could not be started. */
  readonly exited: Promise<string>;
  /** Resolves when nothing of the group runs any more and it is cleared up. */
  readonly ended: Promise<void>;
  readonly #exited: Promise<unknown>;

  /** @param clearUp what is to be done when nothing of the group runs any more; its failure is nobody's. */
  constructor(leader: ChildProcess, clearUp: () => Promise<void>) {
    this.pid = leader.pid ?? 0;
    this.exited = new Promise((resolve, reject) => {
      leader.once('exit', (code, signal) =>
        resolve(signal ? `it was ended by ${signal}` : `it ended with code ${code}`),
      );
      leader.once('error', reject);
    });
    this.#exited = this.exited.catch(() => undefined);
    this.ended = this.#end(clearUp);
  }

  kill(): void {
    if (this.pid !== 0) signalGroup(this.pid, 'SIGKILL');
  }

  async #end(clearUp: () => Promise<void>): Promise<void> {
    await this.#exited;
    // The one we started may be gone before those that it started.
    this.kill();
    const limit = new Deadline(goneWithinMs);
    while (this.pid !== 0 && groupRuns(this.pid) && !limit.passed) await pause(20);
    await clearUp().catch(() => undefined);
  }
}
