import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process that cannot be mistaken for a later one which was given the same id. */
export interface ProcessIdentity {
  pid: number;
  /** When it was started, as the system counts: ticks since the boot that is named, or a date. */
  startedAt: string;
}

/** Who has this process id now; null when nobody does (a zombie counts as gone). */
export function identifyProcess(pid: number): ProcessIdentity | null {
  const startedAt = process.platform === 'linux' ? linuxStart(pid) : otherStart(pid);
  return startedAt === null ? null : { pid, startedAt };
}

/** Whether exactly this process still runs. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.startedAt === identity.startedAt;
}

/** Sends a signal to exactly this process, or (with `group`) to the group it leads. True when it was there. */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals, group = false): boolean {
  if (!isRunning(identity)) return false;
  try {
    process.kill(group ? -identity.pid : identity.pid, signal);
    return true;
  } catch {
    return false;
  }
}

let bootId: string | undefined;

function linuxStart(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in brackets and may hold blanks and brackets itself; the fields after the last
    // bracket are counted from 3: the state is the first of them, the start time is number 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    bootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${bootId}:${fields[19]}`;
  } catch {
    return null;
  }
}

function otherStart(pid: number): string | null {
  try {
    const output = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { PATH: '/bin:/usr/bin', LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [state, ...started] = output.trim().split(/\s+/);
    return !state || state.startsWith('Z') ? null : started.join(' ');
  } catch {
    return null;
  }
}
