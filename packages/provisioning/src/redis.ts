import { renameSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { findExecutable } from './find-executable.ts';
import {
  type Exit,
  type GuardedProcess,
  type RunningServer,
  type ServerOptions,
  startGuarded,
} from './guarded-process.ts';
import type { GuardOrder } from './process-guard.ts';
import { ProvisioningError } from './provisioning-error.ts';
import { lastLine, runCommand } from './run-command.ts';
import { claimDataFolder } from './server-owner.ts';

export interface RedisExecutable {
  path: string;
  /** The name and version, such as `Redis 7.0.15` or `Valkey 8.0.1`. */
  version: string;
}

/** BullMQ requires this version (its documentation, "Going to production"). */
export const oldestRedis = [6, 2] as const;

/** The folders where package managers install servers that are not on every PATH. */
const usualFolders = ['/usr/bin', '/usr/local/bin', '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin', '/snap/bin'];

/**
 * Finds the first `redis-server`, or else `valkey-server`, of this machine that is recent enough; null if there is none.
 *
 * @param env its `PATH` is searched before the usual folders.
 */
export async function findRedis(env: Record<string, string | undefined>): Promise<RedisExecutable | null> {
  for (const name of ['redis-server', 'valkey-server']) {
    for (const path of findExecutable(name, [...(env.PATH ?? '').split(':'), ...usualFolders])) {
      const { output } = await runCommand(path, ['--version'], { cwd: '/', env: {}, timeoutMs: 10_000 });
      const [, product, major, minor, rest] = /^(Redis|Valkey) server v=(\d+)\.(\d+)(\S*)/m.exec(output) ?? [];
      if (!product) continue;
      const isNewEnough =
        Number(major) > oldestRedis[0] || (Number(major) === oldestRedis[0] && Number(minor) >= oldestRedis[1]);
      if (isNewEnough) return { path, version: `${product} ${major}.${minor}${rest}` };
    }
  }
  return null;
}

export interface RedisOptions extends ServerOptions {
  executable: RedisExecutable;
}

/**
 * Starts a Redis on a folder, only on 127.0.0.1, and waits until it is ready. All its data can be rebuilt from Postgres, so data
 * that it cannot read, because it is damaged or of another version, is moved aside.
 *
 * @throws {ProvisioningError} with the server's error.
 */
export async function startRedis(options: RedisOptions): Promise<RunningServer> {
  try {
    return await startOnce(options);
  } catch (error) {
    if (!(error instanceof UnreadableData)) throw error;
    const aside = `${options.dataDir}.unreadable-${Date.now()}`;
    renameSync(options.dataDir, aside);
    options.report(`Redis: could not read its data (${error.message}); moved it to ${aside} and started empty`);
    return startOnce(options);
  }
}

/** The URL of the embedded server. */
export function redisUrl(password: string, port: number): string {
  return `redis://:${password}@127.0.0.1:${port}`;
}

class UnreadableData extends Error {}

async function startOnce(options: RedisOptions): Promise<RunningServer> {
  const { dataDir, password, executable, port, aborted } = options;
  const owner = claimDataFolder(dataDir, 'redis');
  const order: GuardOrder = {
    command: executable.path,
    // The configuration, which contains the password, comes through standard input, because every user can read a command line.
    args: ['-'],
    input: configuration(options),
    // The server writes to its working directory: if root started it, its account may not reach the folder by path.
    cwd: dataDir,
    env: { LC_ALL: 'C', TZ: 'UTC' },
    ...owner,
    stopSignal: 'SIGTERM',
    stopWithinMs: 1_500,
    ...(options.linger && { linger: options.linger }),
  };
  let server: GuardedProcess;
  try {
    server = await startGuarded(order, options.logFile, options.spawned);
  } catch (error) {
    throw new ProvisioningError(`${executable.path} could not be started: ${(error as Error).message}`);
  }
  const url = redisUrl(password, port);
  try {
    await waitUntilReady(url, server, aborted);
  } catch (error) {
    await server.stop('SIGKILL');
    throw error;
  }
  return { ...server, url, port };
}

function configuration({ port, password, settings }: RedisOptions): string {
  const all: Record<string, string> = {
    bind: '127.0.0.1',
    port: String(port),
    requirepass: password,
    daemonize: 'no',
    // BullMQ's documentation calls this "the only setting that guarantees correct behavior".
    'maxmemory-policy': 'noeviction',
    // A crash loses at most a second of queued work, which is found again in Postgres.
    appendonly: 'yes',
    appendfsync: 'everysec',
    save: '""',
    ...settings,
  };
  return Object.entries(all)
    .map(([name, value]) => `${name} ${value}\n`)
    .join('');
}

/** Loading 1 GB of append-only file takes about ten seconds. */
const readyWithinMs = 120_000;

async function waitUntilReady(url: string, server: GuardedProcess, aborted?: AbortSignal): Promise<void> {
  let exit: Exit | undefined;
  void server.exited.then((how) => {
    exit = how;
  });
  for (const end = Date.now() + readyWithinMs; Date.now() < end; await sleep(20)) {
    aborted?.throwIfAborted();
    if (exit) throw startFault(server.output());
    if (await isReady(url)) return;
  }
  throw new ProvisioningError(`Redis was not ready within ${readyWithinMs / 1000} s: ${lastLine(server.output())}`);
}

async function isReady(url: string): Promise<boolean> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.ping()) === 'PONG';
  } catch {
    return false;
  } finally {
    client.disconnect();
  }
}

function startFault(output: string): Error {
  const text = output.replace(/^.*?[*#] /gm, '');
  const unreadable =
    /^.*(?:Bad file format|Can't handle RDB|unknown RDB|Wrong signature|AOF|append only file|DB load).*$/im;
  const message = unreadable.exec(text)?.[0];
  if (message && !/permission denied/i.test(text)) return new UnreadableData(message.trim());
  return new ProvisioningError(`Redis ended while it was starting: ${lastLine(text) || 'no output'}`);
}
