import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Exit, type GuardedProcess, startGuarded } from './guarded-process.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';
import { ensureCluster, superuser } from './postgres-cluster.ts';
import type { GuardOrder } from './process-guard.ts';
import { identifyProcess } from './process-identity.ts';
import { ProvisioningError, type Report } from './report.ts';
import { lastLine } from './run-command.ts';
import { claimDataFolder, type Owner, ownDataFolder } from './server-owner.ts';

/** The platform's own account and database: its owner, without any right beyond it. */
const platformName = 'capture';

/** Recovery after a crash reads up to `max_wal_size` (1 GB) again; a slow disk takes this long for it. */
const answersWithinMs = 180_000;

/** A fast shutdown writes a checkpoint (128 MB of buffers); one that is cut short costs the next start a recovery. */
const stopWithinMs = 5_000;

export interface PostgresOptions {
  /** The cluster's own folder; made when it is not there. */
  dataDir: string;
  superuserPassword: string;
  /** The password of the platform's account. */
  password: string;
  /** Of 127.0.0.1; see `findFreePort`. */
  port: number;
  logFile: string;
  /** Server settings beyond ours, such as `{fsync: 'off'}` for a test. */
  settings?: Record<string, string>;
  linger?: GuardOrder['linger'];
  report: Report;
  /** Told the id of the process that keeps the server, as soon as there is one. */
  spawned?: (guardPid: number) => void;
  /** Gives up waiting for the server, and ends it. */
  aborted?: AbortSignal;
}

export interface RunningPostgres {
  /** For the platform: its own account and database. */
  url: string;
  /** For one who makes and drops databases. */
  superuserUrl: string;
  port: number;
  version: string;
  pid: number;
  exited: Promise<Exit>;
  /** A fast shutdown: open transactions are rolled back, everything is written. */
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): void;
  unref(): void;
}

/**
 * Starts the PostgreSQL that came with the project on a folder, on 127.0.0.1 only, and waits until it answers. Works as
 * root too: the server then has an account of its own, and the folder may lie where that account cannot go.
 *
 * @throws {ProvisioningError} with what the server said.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { dataDir, superuserPassword, password, port, report, aborted } = options;
  const owner = claimDataFolder(dataDir, 'postgres');
  const binaries = await findPostgresBinaries(owner, report);
  await ensureCluster({ dataDir, owner, binaries, superuserPassword, report });
  removeStaleLock(dataDir);
  const server = await startServer(binaries.postgres, owner, options);
  const superuserUrl = urlOf(superuser, superuserPassword, port, 'postgres');
  try {
    const client = await waitUntilItAnswers(superuserUrl, server, dataDir, aborted);
    try {
      await ensurePlatformDatabase(client, password);
    } finally {
      await client.end();
    }
  } catch (error) {
    await server.stop('SIGQUIT');
    throw error;
  }
  return {
    url: platformUrl(password, port),
    superuserUrl,
    port,
    version: binaries.version,
    pid: server.pid,
    exited: server.exited,
    stop: () => server.stop(),
    kill: () => server.kill(),
    unref: () => server.unref(),
  };
}

/** Where the platform's own account finds its database on the embedded server. */
export function platformUrl(password: string, port: number): string {
  return urlOf(platformName, password, port, platformName);
}

function urlOf(account: string, password: string, port: number, database: string): string {
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
 * After a crash the server's lock file names a process id that may meanwhile be anybody's, and the server then refuses
 * to start. The file is removed only if that process is not a PostgreSQL.
 */
function removeStaleLock(dataDir: string): void {
  const file = path.join(dataDir, 'postmaster.pid');
  let pid: number;
  try {
    pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  } catch {
    return;
  }
  if (!identifyProcess(pid) || commandName(pid).includes('postgres')) return;
  rmSync(file);
}

function commandName(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // Without /proc nobody can tell: better not to touch the lock.
    return 'postgres';
  }
}

/** What a server says that is there but not yet ready (57P03), or busy stopping connections at its start. */
const startingUp = '57P03';
const wrongPassword = '28P01';

async function waitUntilItAnswers(
  url: string,
  server: GuardedProcess,
  dataDir: string,
  aborted?: AbortSignal,
): Promise<pg.Client> {
  let exit: Exit | undefined;
  void server.exited.then((how) => {
    exit = how;
  });
  for (const end = Date.now() + answersWithinMs; Date.now() < end; await sleep(25)) {
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
          `The database in ${dataDir} was made with other secrets than those in its DATA_DIR: restore secrets.json, or choose another DATA_DIR.`,
        );
      }
      if (code !== startingUp && code !== 'ECONNREFUSED' && code !== 'ECONNRESET') throw error;
    }
  }
  throw new ProvisioningError(
    `PostgreSQL did not answer within ${answersWithinMs / 1000} s: ${lastLine(server.output())}`,
  );
}

/** Why the server gave up, without the time and process id that begin each line of its log. */
function lastFault(output: string): string {
  const lines = output.split('\n').map((line) => line.replace(/^\S+ \S+ \S+ \[\d+\] /, ''));
  const faults = lines.filter((line) => /^(FATAL|PANIC):|^\S*postgres: /.test(line));
  return faults.pop() ?? (lastLine(output) || 'it said nothing');
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
