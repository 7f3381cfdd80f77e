import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** A process as the system knows it. */
export interface SystemProcess {
  pid: number;
  parent: number;
  group: number;
  commandLine: string;
}

/** All processes of this machine that run; not those that have ended and wait to be noticed. */
export function listProcesses(): SystemProcess[] {
  return process.platform === 'linux' ? fromProc() : fromPs();
}

function fromProc(): SystemProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const commandLine = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        return state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent), group: Number(group), commandLine }];
      } catch {
        // It ended between two looks.
        return [];
      }
    });
}

function fromPs(): SystemProcess[] {
  const printed = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,command='], { encoding: 'utf8' });
  return [...printed.matchAll(/^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/gm)]
    .filter(([, , , , state]) => !state?.startsWith('Z'))
    .map(([, pid, parent, group, , commandLine = '']) => ({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      commandLine,
    }));
}

/** Whether a process that was started here still runs. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** What a process has used of the processor so far, in units of the system's own; 0 if it has ended or nobody can tell. */
export function cpuTime(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return Number(user) + Number(system);
  } catch {
    return 0;
  }
}
