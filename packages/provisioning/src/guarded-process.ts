import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GuardNews, GuardOrder, GuardRequest } from './process-guard.ts';
import { identifyProcess, isRunning, type ProcessIdentity, signalProcess } from './process-identity.ts';
import type { Report } from './provisioning-error.ts';

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A server under a process guard (see process-guard.ts). The server ends on request, or when this process is gone. */
export interface GuardedProcess {
  pid: number;
  guardPid: number;
  /** Resolves when the server and its guard have ended, for any reason. */
  exited: Promise<Exit>;
  /** Stops the server with the `stopSignal` of its order, or with `signal`; resolves when the server has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Kills the server and its guard at once. */
  kill(): void;
  /** Returns the server's log since its start, at most the last 16 kB. */
  output(): string;
  /** Lets this process end while the server runs; the server then ends too. */
  unref(): void;
}

/** The options that Postgres and Redis share. */
export interface ServerOptions {
  /** The server's data folder; created if it is missing. */
  dataDir: string;
  /** The password of the platform's account; for Redis only letters, digits, `-` and `_`. */
  password: string;
  /** A port of 127.0.0.1; see `findFreePort`. */
  port: number;
  logFile: string;
  /** Additional server settings, such as `{fsync: 'off'}` for a test. */
  settings?: Record<string, string>;
  linger?: GuardOrder['linger'];
  report: Report;
  /** Called with the id of the guard process as soon as it is started. */
  spawned?: (guardPid: number) => void;
  /** Stops waiting for the server, and stops the server. */
  aborted?: AbortSignal;
}

export interface RunningServer extends GuardedProcess {
  /** The URL for the platform, with its password. */
  url: string;
  port: number;
}

// The guard is a separate process and needs the built file, even if Jest runs this file from src.
const guardFile = path.join(import.meta.dirname, '..', 'dist', 'process-guard.js');

/**
 * Starts a server under a process guard.
 *
 * @param logFile the file to which the server's standard output and error are appended (created with mode 0600). The server
 * writes to the file directly, so that it can continue when this process is gone.
 * @param spawned called with the guard's process id as soon as the guard is started.
 * @throws Error with the system's reason if the server cannot be started.
 */
export async function startGuarded(
  order: GuardOrder,
  logFile: string,
  spawned: (guardPid: number) => void = () => {},
): Promise<GuardedProcess> {
  const log = openSync(logFile, 'a+', 0o600);
  const from = fstatSync(log).size;
  const guard = spawn(process.execPath, [guardFile], {
    cwd: '/',
    detached: true,
    env: {},
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  if (guard.pid === undefined) await new Promise((_, reject) => guard.once('error', reject));
  const guardPid = guard.pid as number;
  spawned(guardPid);

  let server: ProcessIdentity | null = null;
  let exit: Exit = { code: null, signal: null };
  const started = new Promise<number>((resolve, reject) => {
    guard.on('message', (news: GuardNews) => {
      if (news.type === 'started') {
        server = identifyProcess(news.pid);
        resolve(news.pid);
      } else if (news.type === 'failed') reject(new Error(news.message));
      else exit = { code: news.code, signal: news.signal };
    });
    guard.once('exit', () => reject(new Error('its process guard ended')));
  });
  // A guard that was killed leaves its server behind, so the server is ended here, for the next start.
  const exited = new Promise<Exit>((resolve) => {
    guard.once('exit', async () => {
      if (server && isRunning(server)) {
        await endProcess(server);
        exit = { code: null, signal: 'SIGKILL' };
      }
      resolve(exit);
    });
  });
  request(guard, { type: 'run', order });
  const pid = await started;

  return {
    pid,
    guardPid,
    exited,
    async stop(signal) {
      guard.ref();
      request(guard, { type: 'stop', ...(signal && { signal }) });
      await exited;
    },
    kill() {
      if (server) signalProcess(server, 'SIGKILL');
    },
    output: () => readTail(logFile, from),
    unref() {
      guard.unref();
      guard.channel?.unref();
    },
  };
}

function request(guard: ChildProcess, message: GuardRequest): void {
  // A guard that is ending has closed its channel; `exited` reports the end.
  if (guard.connected) guard.send(message, () => {});
}

async function endProcess(identity: ProcessIdentity): Promise<void> {
  signalProcess(identity, 'SIGKILL');
  while (isRunning(identity)) await sleep(20);
}

function readTail(file: string, from: number): string {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    // A log that was truncated meanwhile is read from its start.
    const start = Math.max(from <= size ? from : 0, size - 16_384);
    const bytes = Buffer.alloc(size - start);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, bytes.length, start));
  } finally {
    closeSync(descriptor);
  }
}
