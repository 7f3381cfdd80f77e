import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { noteOpen } from './open-resources.ts';
import { repositoryRoot } from './test-run.ts';
import { waitUntil } from './wait-until.ts';

export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface TestProcess {
  pid: number;
  /** What it has printed so far, standard output and error together. */
  output(): string;
  /** Waits until it has printed something that matches. Fails at once, with what it printed, when it ends before. */
  waitForOutput(pattern: RegExp, timeoutMs?: number): Promise<RegExpExecArray>;
  /** Resolves when it has ended and all that it printed is in `output`. */
  exited: Promise<ProcessExit>;
  /** Sends a signal to it, or with `group` to everything in its process group. */
  signal(signal: NodeJS.Signals, group?: boolean): void;
  /** SIGTERM (or the one given), then waits for its end. */
  stop(signal?: NodeJS.Signals): Promise<ProcessExit>;
  /** SIGKILL to it alone, then waits for its end. */
  kill(): Promise<ProcessExit>;
}

export interface ProcessOptions {
  /** How failures name it. */
  name: string;
  command?: string;
  args: readonly string[];
  /** All it gets, beside `PATH`, `HOME` and `TMPDIR` of this process. */
  env?: Record<string, string>;
  cwd?: string;
  /** Gives it an IPC channel, as the supervisor does; it ends when the channel closes. */
  ipc?: boolean;
}

/** Starts a process in a group of its own. */
export function startProcess(options: ProcessOptions): TestProcess {
  const { name, command = process.execPath, args, env = {}, cwd = repositoryRoot, ipc = false } = options;
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn(command, args, {
    cwd,
    detached: true,
    env: { PATH, HOME, ...(TMPDIR && { TMPDIR }), ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${name} could not be started: ${command}`);
  let output = '';
  let exit: ProcessExit | undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  child.on('message', (message) => {
    output += `\n${JSON.stringify({ ipc: message })}\n`;
  });
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', async (code, signal) => {
      await lastWords(child);
      exit = { code, signal };
      closed();
      resolve(exit);
    });
  });
  const signal = (which: NodeJS.Signals, group = false) => {
    try {
      process.kill(group ? -pid : pid, which);
    } catch {
      // It has ended already.
    }
  };
  const end = (which: NodeJS.Signals) => {
    signal(which);
    return exited;
  };
  const closed = noteOpen(`process ${name} (pid ${pid})`, () => {
    signal('SIGKILL', true);
    return exited;
  });

  return {
    pid,
    output: () => output,
    async waitForOutput(pattern, timeoutMs) {
      const found = await waitUntil(() => pattern.exec(output) ?? exit, {
        what: `${name} to print ${pattern}`,
        ...(timeoutMs !== undefined && { timeoutMs }),
      });
      if (Array.isArray(found)) return found as RegExpExecArray;
      throw new Error(`${name} ended (${JSON.stringify(exit)}) before it printed ${pattern}; it printed:\n${output}`);
    },
    exited,
    signal,
    stop: (which = 'SIGTERM') => end(which),
    kill: () => end('SIGKILL'),
  };
}

/** For one whose output somebody else holds open, such as a child that outlives it: it says nothing any more. */
const lastWordsWithinMs = 1_000;

/** Waits until what a process that has ended said is read: its end is known before that. */
async function lastWords(child: ChildProcess): Promise<void> {
  const told = child.connected ? once(child, 'disconnect') : undefined;
  await Promise.race([Promise.all([once(child, 'close'), told]), sleep(lastWordsWithinMs, undefined, { ref: false })]);
}

/**
 * Starts a built service, `apps/<name>`, and waits until it says that it is ready.
 *
 * @param root of the checkout that it is of; this one unless given.
 */
export async function startService(
  name: string,
  env: Record<string, string>,
  root: string = repositoryRoot,
): Promise<TestProcess> {
  const main = path.join(root, 'apps', name, 'dist', 'main.js');
  const service = startProcess({ name, args: [main], env, cwd: root, ipc: true });
  await service.waitForOutput(/"ipc":\{"type":"ready"\}/);
  return service;
}
