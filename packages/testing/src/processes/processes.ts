import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { noteOpen } from '../open-resources.ts';
import { repositoryRoot } from '../test-run.ts';
import { waitUntil } from '../wait-until.ts';

export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface TestProcess {
  pid: number;
  /** The standard output and error so far, interleaved. */
  output(): string;
  /** Waits until the output matches. Throws at once, with the output, if the process exits before. */
  waitForOutput(pattern: RegExp, timeoutMs?: number): Promise<RegExpExecArray>;
  /** Resolves when the process has exited and `output` is complete. */
  exited: Promise<ProcessExit>;
  /** Signals the process, or with `group` its whole process group. */
  signal(signal: NodeJS.Signals, group?: boolean): void;
  /** Sends SIGTERM by default, then waits for the exit. */
  stop(signal?: NodeJS.Signals): Promise<ProcessExit>;
  /** Sends SIGKILL to the process alone, then waits for the exit. */
  kill(): Promise<ProcessExit>;
}

export interface ProcessOptions {
  /** The name in failures. */
  name: string;
  command?: string;
  args: readonly string[];
  /** The whole environment, apart from `PATH`, `HOME` and `TMPDIR` of this process. */
  env?: Record<string, string>;
  cwd?: string;
  /** Whether to open an IPC channel, as the supervisor does. A service exits when the channel closes. */
  ipc?: boolean;
}

/** Starts a process in its own process group. */
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
      await outputEnd(child);
      exit = { code, signal };
      closed();
      resolve(exit);
    });
  });
  const signal = (which: NodeJS.Signals, group = false) => {
    if (exit && !group) return;
    try {
      process.kill(group ? -pid : pid, which);
    } catch {
      // The process has exited already.
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
      throw new Error(`${name} ended (${JSON.stringify(exit)}) before it printed ${pattern}; its output:\n${output}`);
    },
    exited,
    signal,
    stop: (which = 'SIGTERM') => end(which),
    kill: () => end('SIGKILL'),
  };
}

/** Bounds the wait for output that another process, such as a surviving child, holds open. */
const outputEndTimeoutMs = 1_000;

/** Waits until the output of an exited process is read, because the exit is reported earlier. */
async function outputEnd(child: ChildProcess): Promise<void> {
  const disconnected = child.connected ? once(child, 'disconnect') : undefined;
  const ended = Promise.all([once(child, 'close'), disconnected]);
  await Promise.race([ended, sleep(outputEndTimeoutMs, undefined, { ref: false })]);
}

/**
 * Starts a built service, `apps/<name>`, and waits until it reports ready.
 *
 * @param root of its checkout; by default this checkout.
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
