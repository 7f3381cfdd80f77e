import { spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { constants, cpus, getPriority, setPriority } from 'node:os';
import type { Member } from './process-group.ts';

/** `low` is for the pages of accounts whose pages flood: other browsers of the worker go first while all processors are busy. */
export type BrowserPriority = 'ordinary' | 'low';

/**
 * How much nicer a browser is than its worker. Beside a service that is as busy an ordinary one gets a quarter of a core: requests,
 * webhooks and the proxies of other pages do not wait for what a page computes. Without such a service it gets all of it. One of
 * low priority gets a fifth of what an ordinary one gets beside it.
 */
const browserNiceness: Record<BrowserPriority, number> = { ordinary: 5, low: 12 };

/**
 * How much nicer a renderer is than its browser, by the CPU time that it has taken, milliseconds. Three levels halve its share, ten
 * leave a tenth. All give way to the processes that all pages need. An ordinary page takes a quarter of a second, the heavy
 * ones of the corpus take one.
 */
const rendererNiceness = [
  { fromMs: 2_000, niceness: 14 },
  { fromMs: 1_000, niceness: 6 },
  { fromMs: 0, niceness: 3 },
];

/**
 * Threads of a renderer that runs some 40 workers; an ordinary one has 20, and one for each further processor. Niceness counts
 * for each thread, so as many computing ones would still take most of a processor from others.
 */
const manyThreads = 60 + cpus().length;

/** Gives a browser that has just started, and all that it will start, a lower priority than its worker. */
export function lowerBrowser(pid: number, priority: BrowserPriority): void {
  const niceness = nicerThan(process.pid, browserNiceness[priority]);
  ignoreFailure(() => setPriority(pid, niceness));
  lowerSession(pid, niceness);
}

/** Linux accepts one such change in 100 ms on the whole machine, unless root makes it; milliseconds. */
const changeAgainMs = 150;

/** Where Linux groups processes by session, only the group's niceness counts against other sessions. Elsewhere there is no such file. */
function lowerSession(pid: number, niceness: number, triesLeft = 20): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EAGAIN' && triesLeft > 0) {
      setTimeout(() => lowerSession(pid, niceness, triesLeft - 1), changeAgainMs).unref();
    }
  }
}

/**
 * Lowers the priority of a renderer, of all its threads, with the CPU time that it has taken: short captures go before long
 * ones, and a page that computes without an end gives way to all. No later capture inherits this: a page is used again only
 * while its renderer has taken less than a second. One with many threads runs only when no other process wants to.
 */
export function lowerRenderer(pid: number, browserPid: number, { cpuMs, threads, isIdleClass }: Member): void {
  if (threads > manyThreads && !isIdleClass && hasChrt) letOthersFirst(pid);
  ignoreFailure(() => {
    const niceness = nicerThan(browserPid, rendererNiceness.find(({ fromMs }) => cpuMs >= fromMs)?.niceness ?? 0);
    if (getPriority(pid) >= niceness) return;
    // Linux has a priority for each thread; threads that start later inherit that of their creator. One may end meanwhile.
    for (const thread of readdirSync(`/proc/${pid}/task`)) ignoreFailure(() => setPriority(Number(thread), niceness));
  });
}

let hasChrt = true;

/** Lets a process run only when no other wants to. Node has no call for it; where there is no `chrt`, niceness must do. */
function letOthersFirst(pid: number): void {
  const chrt = spawn('chrt', ['--idle', '--all-tasks', '--pid', '0', String(pid)], { stdio: 'ignore' });
  chrt.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'ENOENT') hasChrt = false;
  });
  chrt.unref();
}

function nicerThan(pid: number, levels: number): number {
  return Math.min(getPriority(pid) + levels, constants.priority.PRIORITY_LOW);
}

/** Of a process that has ended, or on a system that does not have this: the priority is not worth a failed capture. */
function ignoreFailure(change: () => void): void {
  try {
    change();
  } catch {
    // See above.
  }
}
