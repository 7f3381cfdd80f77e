import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GuardNews, GuardOrder, GuardRequest } from './process-guard.ts';
import { identifyProcess, isRunning, type ProcessIdentity, signalProcess } from './process-identity.ts';

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A server under a warden (see warden.ts): it ends when it is told to, or when this process is gone. */
export interface GuardedProcess {
  pid: number;
  guardPid: number;
  /** Resolves when the server and its warden have ended, for whatever reason. */
  exited: Promise<Exit>;
  /** Ends it in order, with `stopSignal` of its order or the one given; resolves when it has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Ends it at once, warden included. */
  kill(): void;
  /** What it wrote to its log since it was started, at most the last 16 kB. */
  output(): string;
  /** Lets this process end while the server runs; the server then ends too. */
  unref(): void;
}

// Run from src (by Jest) as from dist, the warden is a process of its own and needs the built file.
const guardFile = path.join(import.meta.dirname, '..', 'dist', 'process-guard.js');

/**
 * Starts a server under a warden.
 *
 * @param logFile where its standard output and error are appended (made 0600). The file is the server's directly, so
 * that it can go on writing when this process is gone.
 * @param spawned is told the warden's process id as soon as there is one.
 * @throws Error with the system's reason, when the server cannot be started at all.
 */
export async function startGuarded(
  order: GuardOrder,
  logFile: string,
  spawned: (guardPid: number) => void = () => {},
): Promise<GuardedProcess> {
  const log = openSync(logFile, 'a+', 0o600);
  const from = fstatSync(log).size;
  const warden = spawn(process.execPath, [guardFile], {
    cwd: '/',
    detached: true,
    env: {},
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  if (warden.pid === undefined) await new Promise((_, reject) => warden.once('error', reject));
  const guardPid = warden.pid as number;
  spawned(guardPid);

  let server: ProcessIdentity | null = null;
  let exit: Exit = { code: null, signal: null };
  const started = new Promise<number>((resolve, reject) => {
    warden.on('message', (news: GuardNews) => {
      if (news.type === 'started') {
        server = identifyProcess(news.pid);
        resolve(news.pid);
      } else if (news.type === 'failed') reject(new Error(news.message));
      else exit = { code: news.code, signal: news.signal };
    });
    warden.once('exit', () => reject(new Error('its warden ended')));
  });
  // A warden that was killed leaves its server behind: end that too, for whoever starts the next one.
  const exited = new Promise<Exit>((resolve) => {
    warden.once('exit', async () => {
      if (server && isRunning(server)) {
        await endProcess(server);
        exit = { code: null, signal: 'SIGKILL' };
      }
      resolve(exit);
    });
  });
  request(warden, { type: 'run', order });
  const pid = await started;

  return {
    pid,
    guardPid,
    exited,
    async stop(signal) {
      warden.ref();
      request(warden, { type: 'stop', ...(signal && { signal }) });
      await exited;
    },
    kill() {
      if (server) signalProcess(server, 'SIGKILL');
    },
    output: () => readTail(logFile, from),
    unref() {
      warden.unref();
      warden.channel?.unref();
    },
  };
}

function request(warden: ChildProcess, message: GuardRequest): void {
  // A warden that is just ending has closed its channel: `exited` tells of that.
  if (warden.connected) warden.send(message, () => {});
}

async function endProcess(identity: ProcessIdentity): Promise<void> {
  signalProcess(identity, 'SIGKILL');
  while (isRunning(identity)) await sleep(20);
}

function readTail(file: string, from: number): string {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    // A log that was shortened meanwhile begins anew.
    const start = Math.max(from <= size ? from : 0, size - 16_384);
    const bytes = Buffer.alloc(size - start);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, bytes.length, start));
  } finally {
    closeSync(descriptor);
  }
}
