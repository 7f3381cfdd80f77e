import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  type Exit,
  type GuardedProcess,
  type RunningServer,
  type ServerOptions,
  startGuarded,
} from './guarded-process.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';
import { ensureCluster, superuser } from './postgres-cluster.ts';
import type { GuardOrder } from './process-guard.ts';
import { identifyProcess } from './process-identity.ts';
import { ProvisioningError } from './provisioning-error.ts';
import { lastLine } from './run-command.ts';
import { claimDataFolder, type Owner, ownDataFolder } from './server-owner.ts';

/** The name of the platform's account and of the database that it owns. The account has no other rights. */
const platformName = 'capture';

/** Recovery after a crash reads up to `max_wal_size` (1 GB), which takes this long on a slow disk. */
const readyWithinMs = 180_000;

/** A fast shutdown writes a checkpoint (128 MB of buffers). If it is cut short, the next start needs a recovery. */
const stopWithinMs = 5_000;

export interface PostgresOptions extends ServerOptions {
  superuserPassword: string;
}

/** `stop` rolls back open transactions and writes everything to disk. */
export interface RunningPostgres extends RunningServer {
  /** The superuser's URL, for creating and dropping databases. */
  superuserUrl: string;
  version: string;
}

/**
 * Starts the project's PostgreSQL on a folder, only on 127.0.0.1, and waits until it accepts connections. Also works as root: the
 * server then runs as a separate account, and the folder may be inside a folder that this account cannot enter.
 *
 * @throws {ProvisioningError} with the server's error.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { dataDir, superuserPassword, password, port, report, aborted } = options;
  const owner = claimDataFolder(dataDir, 'postgres');
  const binaries = await findPostgresBinaries(owner, report);
  await ensureCluster({ dataDir, owner, binaries, superuserPassword, report });
  removeStaleLock(dataDir);
  const server = await startServer(binaries.postgres, owner, options);
  const superuserUrl = databaseUrl(superuser, superuserPassword, port, 'postgres');
  try {
    const client = await waitUntilReady(superuserUrl, server, dataDir, aborted);
    try {
      await ensurePlatformDatabase(client, password);
    } finally {
      await client.end();
    }
  } catch (error) {
    await server.stop('SIGQUIT');
    throw error;
  }
  return { ...server, url: platformUrl(password, port), superuserUrl, port, version: binaries.version };
}

/** The URL of the platform's database on the embedded server. */
export function platformUrl(password: string, port: number): string {
  return databaseUrl(platformName, password, port, platformName);
}

function databaseUrl(account: string, password: string, port: number, database: string): string {
  return `postgresql://${account}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

async function startServer(command: string, owner: Owner, options: PostgresOptions) {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    password_encryption: 'scram-sha-256',
    log_timezone: 'UTC',
    timezone: 'UTC',
    ...options.settings,
  };
  const order: GuardOrder = {
    command,
    args: [
      '-D',
      ownDataFolder(options.dataDir, owner),
      '-p',
      String(options.port),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    cwd: options.dataDir,
    env: { LC_ALL: 'C', TZ: 'UTC' },
    ...owner,
    stopSignal: 'SIGINT',
    stopWithinMs,
    ...(options.linger && { linger: options.linger }),
  };
  try {
    return await startGuarded(order, options.logFile, options.spawned);
  } catch (error) {
    throw new ProvisioningError(`PostgreSQL could not be started: ${(error as Error).message}`);
  }
}

/**
 * After a crash the server's lock file names a process that may be a zombie still, or whose id another process may have by now.
 * The server refuses to start for both, so the file is removed unless that process is a running PostgreSQL. Without the file too,
 * the server refuses to start while a killed server's last processes use its shared memory.
 */
function removeStaleLock(dataDir: string): void {
  const file = path.join(dataDir, 'postmaster.pid');
  let pid: number;
  try {
    // A server in single-user mode writes its process id as a negative number.
    pid = Math.abs(Number(readFileSync(file, 'utf8').split('\n')[0]));
  } catch {
    return;
  }
  if (identifyProcess(pid) && commandName(pid).includes('postgres')) return;
  rmSync(file);
}

function commandName(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // Without /proc the process is unknown, so the lock stays.
    return 'postgres';
  }
}

/** The code of a server that is starting. */
const startingUp = '57P03';
const wrongPassword = '28P01';

async function waitUntilReady(
  url: string,
  server: GuardedProcess,
  dataDir: string,
  aborted?: AbortSignal,
): Promise<pg.Client> {
  let exit: Exit | undefined;
  void server.exited.then((how) => {
    exit = how;
  });
  for (const end = Date.now() + readyWithinMs; Date.now() < end; await sleep(25)) {
    aborted?.throwIfAborted();
    if (exit) throw new ProvisioningError(`PostgreSQL ended while it was starting: ${lastFault(server.output())}`);
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => {});
      const { code } = error as { code?: string };
      if (code === wrongPassword) {
        throw new ProvisioningError(
          `The database in ${dataDir} was created with other secrets than those in its DATA_DIR: restore secrets.json, or choose another DATA_DIR.`,
        );
      }
      if (code !== startingUp && code !== 'ECONNREFUSED' && code !== 'ECONNRESET') throw error;
    }
  }
  throw new ProvisioningError(
    `PostgreSQL was not ready within ${readyWithinMs / 1000} s: ${lastLine(server.output())}`,
  );
}

/** Returns why the server ended, without the time and process id that begin each line of its log. */
function lastFault(output: string): string {
  const lines = output.split('\n').map((line) => line.replace(/^\S+ \S+ \S+ \[\d+\] /, ''));
  const faults = lines.filter((line) => /^(FATAL|PANIC):|^\S*postgres: /.test(line));
  return faults.pop() ?? (lastLine(output) || 'no output');
}

async function ensurePlatformDatabase(client: pg.Client, password: string): Promise<void> {
  const { rows } = await client.query(
    `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS account,
            EXISTS (SELECT FROM pg_database WHERE datname = $1) AS database`,
    [platformName],
  );
  const secret = client.escapeLiteral(password);
  if (!rows[0].account) await client.query(`CREATE ROLE ${platformName} LOGIN PASSWORD ${secret}`);
  if (!rows[0].database) await client.query(`CREATE DATABASE ${platformName} OWNER ${platformName}`);
}
