import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Report } from '../session.ts';

export interface PlatformProcess {
  baseUrl: string;
  /** Ends it in order: what it captures is drained, then its servers go. Resolves when nothing of it is left. */
  stop(): Promise<void>;
  /** Ends it without draining. */
  kill(): void;
}

/** Why the embedded platform does not run: printed as it is, exit code 1. */
export class PlatformError extends Error {
  override name = 'PlatformError';
}

export interface PlatformOptions {
  checkout: string;
  /** Its data folder: database, files, secrets. */
  dataDir: string;
  /** Addresses that captures may reach beside public ones, as `EGRESS_ALLOW` has them. */
  allow: readonly string[];
  env: NodeJS.ProcessEnv;
  report: Report;
  signal: AbortSignal;
}

/** Settings that belong to another platform of this machine: the embedded one has its own of each. */
const notHanded = [
  ...['DATABASE_URL', 'REDIS_URL', 'STORAGE_URL', 'PUBLIC_URL', 'SECRET_KEY', 'SECRET_KEY_PREVIOUS', 'OPERATOR_KEY'],
  ...['CONTRACT_FORM', 'TRUST_PROXY', 'CAPTURE_API_KEY', 'CAPTURE_SERVER', 'NODE_OPTIONS'],
];

/** Draining takes 20 s at most, closing the servers a few more; nobody should have to wait for ever. */
const stopWithinMs = 60_000;

/**
 * Starts the platform of a checkout as `npm start` does, on any free port, and resolves when it is ready. It has a process
 * group of its own, so that a Ctrl-C reaches this program alone, and ends when this process does, however that ends.
 *
 * @throws {PlatformError} with the platform's own words when it does not start.
 */
export async function startPlatformProcess(options: PlatformOptions): Promise<PlatformProcess> {
  const { checkout, dataDir, allow, env, report, signal } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const handed = Object.fromEntries(Object.entries(env).filter(([name]) => !notHanded.includes(name)));
  const child = spawn(process.execPath, [path.join(checkout, 'bootstrap.mjs'), 'start-built'], {
    cwd: checkout,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...handed,
      DATA_DIR: dataDir,
      PORT: '0',
      EGRESS_ALLOW: [env.EGRESS_ALLOW, ...allow].filter(Boolean).join(','),
      // Started by npm it ends with its parent, even one that is killed: the same is wanted here.
      npm_lifecycle_event: 'capture',
    },
  });
  const exited = once(child, 'exit');
  const end = (which: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(which);
  };
  const onAbort = () => end('SIGTERM');
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const baseUrl = await readAddress(child, exited, report, signal);
    return { baseUrl, stop: () => stop(exited, end), kill: () => end('SIGKILL') };
  } catch (error) {
    end('SIGTERM');
    await exited;
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Reads what it says until that names its address. The operator's key, which it prints then, is shown to nobody. */
async function readAddress(
  child: ChildProcess,
  exited: Promise<unknown[]>,
  report: Report,
  signal: AbortSignal,
): Promise<string> {
  const said: string[] = [];
  const found = new Promise<string>((resolve) => {
    let isReady = false;
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface(stream).on('line', (line) => {
        const [, address] = /^ {2}address: +(http:\S+)/.exec(line) ?? [];
        isReady ||= line.startsWith('───');
        if (address !== undefined) resolve(address);
        if (isReady || line.trim() === '') return;
        said.push(line.trim());
        if (said.length > 50) said.shift();
        report(line.trim());
      });
    }
  });
  const closed = exited.then(async () => {
    // Its last words may still be on their way.
    await Promise.race([once(child, 'close'), sleep(1_000, undefined, { ref: false })]);
    signal.throwIfAborted();
    const reason = said.slice(-15).join('\n') || 'it said nothing';
    throw new PlatformError(`the embedded platform did not start:\n${reason}`);
  });
  // When it is ready first, its end is `stop`'s to wait for.
  closed.catch(() => {});
  return Promise.race([found, closed]);
}

async function stop(exited: Promise<unknown[]>, end: (which: NodeJS.Signals) => void): Promise<void> {
  end('SIGTERM');
  const timer = setTimeout(end, stopWithinMs, 'SIGKILL');
  await exited;
  clearTimeout(timer);
}
