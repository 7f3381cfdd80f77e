import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Identifies a process even after its id was reused. */
export interface ProcessIdentity {
  pid: number;
  /** The start time: a boot id and the ticks since that boot, or a date. */
  startedAt: string;
}

/** Identifies the process that has this id now; null if there is none (a zombie counts as none). */
export function identifyProcess(pid: number): ProcessIdentity | null {
  const startedAt = process.platform === 'linux' ? linuxStart(pid) : otherStart(pid);
  return startedAt === null ? null : { pid, startedAt };
}

/** Whether exactly this process still runs. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.startedAt === identity.startedAt;
}

/** Sends a signal to exactly this process, or (with `group`) to the group that it leads. Returns whether it was running. */
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
    // The second field is the command in parentheses, which may contain spaces and parentheses. The field after the last
    // parenthesis is number 3, the state; the start time is number 22.
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
