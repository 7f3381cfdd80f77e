import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface SystemProcess {
  pid: number;
  parent: number;
  group: number;
  /** Whether the process has exited, and its parent has not collected it. */
  zombie: boolean;
  commandLine: string;
}

export function listProcesses(): SystemProcess[] {
  return process.platform === 'linux' ? fromProc() : fromPs();
}

function fromProc(): SystemProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [state, parent, group] = readStat(Number(name));
        const commandLine = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        const zombie = state === 'Z';
        return [{ pid: Number(name), parent: Number(parent), group: Number(group), zombie, commandLine }];
      } catch {
        // The process exited between the two reads.
        return [];
      }
    });
}

function fromPs(): SystemProcess[] {
  const output = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,command='], { encoding: 'utf8' });
  return [...output.matchAll(/^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/gm)].map(
    ([, pid, parent, group, state, commandLine = '']) => ({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      zombie: state?.startsWith('Z') ?? false,
      commandLine,
    }),
  );
}

/** Reads the fields of `/proc/<pid>/stat` from the state on. The name before them is in brackets and may contain anything. */
export function readStat(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Returns the running processes of a group. */
export function groupOf(group: number): SystemProcess[] {
  return listProcesses().filter((each) => each.group === group && !each.zombie);
}

/** Finds the process that draws for all pages of a Chromium, given the group of its processes. */
export function gpuProcessOf(group: number): number | undefined {
  return groupOf(group).find(({ commandLine }) => commandLine.includes('--type=gpu-process'))?.pid;
}

/** Returns the running children of a process. */
export function childrenOf(pid: number): number[] {
  return listProcesses()
    .filter(({ parent, zombie }) => parent === pid && !zombie)
    .map((each) => each.pid);
}

/** Returns a process and all its descendants. */
export function processTree(root: number): number[] {
  const processes = listProcesses();
  const tree = [root];
  for (let index = 0; index < tree.length; index += 1) {
    tree.push(...processes.filter(({ parent }) => parent === tree[index]).map(({ pid }) => pid));
  }
  return tree;
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
