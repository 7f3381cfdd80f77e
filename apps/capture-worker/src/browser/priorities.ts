import { spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { constants, cpus, getPriority, setPriority } from 'node:os';
import type { Member } from './process-group.ts';

/** Accounts that are apart for an hour get `low`: other browsers go first while all processors are busy. */
export type BrowserPriority = 'ordinary' | 'low';

/**
 * How much nicer a browser is than its worker. While a service is as busy, an ordinary browser gets a quarter of a core:
 * requests, webhooks and the proxies of other pages do not wait for computing pages. A browser of low priority gets a fifth of
 * the time of an ordinary browser.
 */
const browserNiceness: Record<BrowserPriority, number> = { ordinary: 5, low: 12 };

/**
 * How much nicer a renderer is than its browser, by the renderer's CPU time, milliseconds. Three levels halve its share, ten
 * leave a tenth. All renderers give way to the processes that all pages need. Ordinary pages take 250 ms, heavy pages 1 s.
 */
const rendererNiceness = [
  { fromMs: 2_000, niceness: 14 },
  { fromMs: 1_000, niceness: 6 },
  { fromMs: 0, niceness: 3 },
];

/**
 * Threads of a renderer that runs some 40 workers; an ordinary renderer has 20, and one more for each further processor.
 * Niceness counts for each thread, so that many computing threads would still take most of a processor from other processes.
 */
const manyThreads = 60 + cpus().length;

/** Gives a browser that has just started, and all processes that it will start, a lower priority than its worker. */
export function lowerBrowser(pid: number, priority: BrowserPriority): void {
  const niceness = nicerThan(process.pid, browserNiceness[priority]);
  ignoreFailure(() => setPriority(pid, niceness));
  lowerSession(pid, niceness);
}

/** Linux accepts such a change once in 100 ms on the whole machine, except from root; milliseconds. */
const changeAgainMs = 150;

/**
 * Lowers the whole session where Linux groups processes by session: only the group's niceness counts against other sessions.
 * Other systems have no such file.
 */
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
 * Lowers the priority of all threads of a renderer as its CPU time grows: short captures go before long captures, and a page
 * that computes without end gives way to all. No later capture inherits the priority: a page is reused only while its renderer
 * has taken less than a second. A renderer with many threads runs only when no other process wants to.
 */
export function lowerRenderer(pid: number, browserPid: number, { cpuMs, threads, isIdleClass }: Member): void {
  if (threads > manyThreads && !isIdleClass && hasChrt) letOthersFirst(pid);
  ignoreFailure(() => {
    const niceness = nicerThan(browserPid, rendererNiceness.find(({ fromMs }) => cpuMs >= fromMs)?.niceness ?? 0);
    if (getPriority(pid) >= niceness) return;
    // Linux has a priority for each thread; a new thread inherits the priority of its creator. A thread may end meanwhile.
    for (const thread of readdirSync(`/proc/${pid}/task`)) ignoreFailure(() => setPriority(Number(thread), niceness));
  });
}

let hasChrt = true;

/** Lets a process run only when no other process wants to. Node has no call for this; without `chrt`, only niceness applies. */
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

/** Ignores that a process has ended, or that the system has no such priority: a priority is not worth a failed capture. */
function ignoreFailure(change: () => void): void {
  try {
    change();
  } catch {
    // The priority stays as it is.
  }
}
