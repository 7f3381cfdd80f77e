import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Report } from '../session.ts';

export interface PlatformProcess {
  baseUrl: string;
  /** Shuts down in order: drains captures, then stops the servers. Resolves when every process has exited. */
  stop(): Promise<void>;
  /** Kills the platform without draining. */
  kill(): void;
}

/** The reason that the embedded platform does not run: printed as is, exit code 1. */
export class PlatformError extends Error {
  override name = 'PlatformError';
}

export interface PlatformOptions {
  checkout: string;
  /** The data folder: database, files, secrets. */
  dataDir: string;
  /** Private addresses that captures may reach, in the syntax of `EGRESS_ALLOW`. */
  allow: readonly string[];
  env: NodeJS.ProcessEnv;
  report: Report;
  signal: AbortSignal;
}

/** Settings of other platforms on this machine, which the embedded platform must not inherit. */
const notInherited = [
  ...['DATABASE_URL', 'REDIS_URL', 'STORAGE_URL', 'PUBLIC_URL', 'SECRET_KEY', 'SECRET_KEY_PREVIOUS', 'OPERATOR_KEY'],
  ...['CONTRACT_FORM', 'TRUST_PROXY', 'CAPTURE_API_KEY', 'CAPTURE_SERVER', 'NODE_OPTIONS'],
];

/** Draining takes up to 20 s, and stopping the servers a few more. */
const stopTimeoutMs = 60_000;

/**
 * Starts the platform of a checkout like `npm start`, on a free port, and resolves when it is ready. The platform has its own
 * process group, so Ctrl-C reaches only this program. It exits with this process, even if this process is killed.
 *
 * @throws {PlatformError} with the platform's output if it does not start.
 */
export async function startPlatformProcess(options: PlatformOptions): Promise<PlatformProcess> {
  const { checkout, dataDir, allow, env, report, signal } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const inherited = Object.fromEntries(Object.entries(env).filter(([name]) => !notInherited.includes(name)));
  const child = spawn(process.execPath, [path.join(checkout, 'bootstrap.mjs'), 'start-built'], {
    cwd: checkout,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...inherited,
      DATA_DIR: dataDir,
      PORT: '0',
      EGRESS_ALLOW: [env.EGRESS_ALLOW, ...allow].filter(Boolean).join(','),
      // With this variable of npm, the platform exits with its parent, even a killed parent.
      npm_lifecycle_event: 'capture',
    },
  });
  const exited = once(child, 'exit');
  const end = (signalName: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signalName);
  };
  const onAbort = () => end('SIGTERM');
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const baseUrl = await readBaseUrl(child, exited, report, signal);
    return { baseUrl, stop: () => stop(exited, end), kill: () => end('SIGKILL') };
  } catch (error) {
    end('SIGTERM');
    await exited;
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Reads the output until it contains the URL. The operator key, which follows, is never shown. */
async function readBaseUrl(
  child: ChildProcess,
  exited: Promise<unknown[]>,
  report: Report,
  signal: AbortSignal,
): Promise<string> {
  const output: string[] = [];
  const found = new Promise<string>((resolve) => {
    let isReady = false;
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface(stream).on('line', (line) => {
        const [, address] = /^ {2}address: +(http:\S+)/.exec(line) ?? [];
        isReady ||= line.startsWith('───');
        if (address !== undefined) resolve(address);
        if (isReady || line.trim() === '') return;
        output.push(line.trim());
        if (output.length > 50) output.shift();
        report(line.trim());
      });
    }
  });
  const closed = exited.then(async () => {
    // The last lines may still arrive.
    await Promise.race([once(child, 'close'), sleep(1_000, undefined, { ref: false })]);
    signal.throwIfAborted();
    const reason = output.slice(-15).join('\n') || 'it printed nothing';
    throw new PlatformError(`the embedded platform did not start:\n${reason}`);
  });
  // Once the platform is ready, `stop` waits for its exit.
  closed.catch(() => {});
  return Promise.race([found, closed]);
}

async function stop(exited: Promise<unknown[]>, end: (signalName: NodeJS.Signals) => void): Promise<void> {
  end('SIGTERM');
  const timer = setTimeout(end, stopTimeoutMs, 'SIGKILL');
  await exited;
  clearTimeout(timer);
}
