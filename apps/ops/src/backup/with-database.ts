import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { lockDataFolder } from '@capture/provisioning/data-folder-lock';
import { findFreePort } from '@capture/provisioning/free-port';
import { startPostgres } from '@capture/provisioning/postgres';
import { ProvisioningError, type Report } from '@capture/provisioning/provisioning-error';
import pg from 'pg';
import { FailedError, UnreachableError, UsageError } from '../exit-codes.ts';
import type { Deployment } from '../find-deployment.ts';
import { hostOf } from '../host-of.ts';

/**
 * Runs `use` with the database of DATABASE_URL, or else with the data folder's database. If the platform is not running, its
 * embedded server is started for the time of the call, and the folder is locked.
 *
 * @throws {UsageError} if neither is known.
 * @throws {UnreachableError} if the server refuses the connection.
 */
export async function withDatabase<Result>(
  deployment: Deployment,
  report: Report,
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  const { env, database, dataDir, postgresPasswords: passwords } = deployment;
  if (env.DATABASE_URL) {
    if (!URL.canParse(env.DATABASE_URL)) throw new UsageError('DATABASE_URL is not a URL');
    return use(env.DATABASE_URL);
  }
  if ('missing' in dataDir || 'missing' in passwords) {
    throw new UsageError('set DATABASE_URL, or DATA_DIR to a folder that has the secrets.json of a platform');
  }
  const folder = dataDir.value;
  if ('value' in database && (await isReachable(database.value))) return use(database.value);
  const lock = await lockDataFolder(folder, report).catch(fail);
  try {
    const logs = path.join(folder, 'logs');
    mkdirSync(logs, { recursive: true, mode: 0o700 });
    report('the platform is not running: starting its PostgreSQL temporarily');
    const server = await startPostgres({
      ...passwords.value,
      dataDir: path.join(folder, 'postgres'),
      port: await findFreePort(),
      logFile: path.join(logs, 'postgres.log'),
      report,
    }).catch(fail);
    try {
      return await use(server.url);
    } finally {
      await server.stop();
    }
  } finally {
    lock.release();
  }
}

function fail(error: Error): never {
  throw error instanceof ProvisioningError ? new FailedError(error.message, { cause: error }) : error;
}

async function isReachable(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * How long the reader of the rows may pause, such as a program behind a pipe, milliseconds. An open snapshot keeps the server
 * from removing old rows and from dropping partitions.
 */
const pausedMs = 600_000;

/** Opens one connection for long statements. @throws {UnreachableError} that names the host and the reason. */
export async function withClient<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: 'backup',
    // A table of a million rows takes longer than the role's limit for a request.
    statement_timeout: 0,
    idle_in_transaction_session_timeout: pausedMs,
    options: `-c tcp_user_timeout=${pausedMs}`,
  });
  // A broken connection fails the statement in progress, so this event needs no other handling.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (cause) {
    const { message, code } = cause as Error & { code?: string };
    throw new UnreachableError(`the database at ${hostOf(url)} refuses the connection: ${message || code}`, { cause });
  }
  try {
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
