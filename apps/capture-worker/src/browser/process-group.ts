import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { Deadline, pause } from '../deadline.ts';

/** How long the processes of a killed group may take to end, milliseconds. */
const goneWithinMs = 2_000;

/** Sends a signal to every process of a group; false if the group has no process. */
function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, signal);
  } catch {
    return false;
  }
}

/**
 * Whether a process of the group still runs. Zombies do not count, although `kill` finds them: in a container without an init
 * process they may never be reaped.
 */
function groupRuns(leader: number): boolean {
  if (!signalGroup(leader, 0)) return false;
  if (process.platform !== 'linux') return true;
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && isMember(name, leader));
}

/** The CPU time that the kernel counts in `/proc`, milliseconds per tick: 10 on every Linux. */
const msPerTick = 10;

/** Whether a process, given by its name in `/proc`, runs and belongs to the group. */
export function isMember(pid: string, leader: number): boolean {
  return readMember(pid, leader) !== null;
}

/** A running process, as the kernel reports it. */
export interface Member {
  /** CPU time since its start, milliseconds. */
  cpuMs: number;
  threads: number;
  /** Whether the process runs only when no other process wants to (`SCHED_IDLE`). */
  isIdleClass: boolean;
}

/** The scheduling class `SCHED_IDLE` in Linux. */
const idleClass = '5';

/** Reads a process of the group; null if the process does not run or is not in the group. */
export function readMember(pid: string, leader: number): Member | null {
  try {
    const fields = fieldsOf(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    // State, parent and group come first. The number of threads is the 18th field, the scheduling class the 39th.
    const [state, , group] = fields;
    if (Number(group) !== leader || state === 'Z' || state === 'X') return null;
    return {
      cpuMs: cpuMsOf(fields),
      threads: Number(fields[17]),
      isIdleClass: fields[38] === idleClass,
    };
  } catch {
    return null;
  }
}

/** The CPU time of a process or thread, milliseconds. @param stat its file in `/proc`. */
export function readCpuMs(stat: string): number {
  return cpuMsOf(fieldsOf(stat));
}

/** The fields of a `stat` file that follow the name in parentheses, which may contain any character. */
const fieldsOf = (stat: string) => stat.slice(stat.lastIndexOf(')') + 2).split(' ');

/** The CPU time of the process and of the kernel for the process. */
const cpuMsOf = (fields: readonly string[]) => (Number(fields[11]) + Number(fields[12])) * msPerTick;

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended already.
  }
}

/** A process that leads its own group (`detached`), with all processes that it starts. */
export class ProcessGroup {
  readonly pid: number;
  /** How the leader ended, as text; rejects if it could not be started. */
  readonly exited: Promise<string>;
  /** Resolves when no process of the group runs and `cleanUp` is done. */
  readonly ended: Promise<void>;
  readonly #exited: Promise<unknown>;

  /** @param cleanUp called when no process of the group runs; its errors are ignored. */
  constructor(leader: ChildProcess, cleanUp: () => Promise<void>) {
    this.pid = leader.pid ?? 0;
    this.exited = new Promise((resolve, reject) => {
      leader.once('exit', (code, signal) =>
        resolve(signal ? `it was ended by ${signal}` : `it ended with code ${code}`),
      );
      leader.once('error', reject);
    });
    this.#exited = this.exited.catch(() => undefined);
    this.ended = this.#end(cleanUp);
  }

  kill(): void {
    if (this.pid !== 0) signalGroup(this.pid, 'SIGKILL');
  }

  async #end(cleanUp: () => Promise<void>): Promise<void> {
    await this.#exited;
    // The leader may end before the processes that it started.
    this.kill();
    const limit = new Deadline(goneWithinMs);
    while (this.pid !== 0 && groupRuns(this.pid) && !limit.passed) await pause(20);
    await cleanUp().catch(() => undefined);
  }
}
