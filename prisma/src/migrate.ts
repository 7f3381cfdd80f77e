import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { applyMigration, type RetryOptions } from './apply-migration.ts';
import { type Migration, migrationNames, migrationsFolder, readMigration } from './migration-files.ts';
import { ensureRecord, readRecord } from './migration-record.ts';

/** One process at a time migrates a database. The other locks are in packages/database/src/locks.ts. */
const migrationLock = 7_310_554;

/** The interval for checking whether another process has finished migrating, milliseconds. */
const pollMs = 200;

/**
 * The limits that the server applies to this connection. A process that freezes, or whose network is lost, may hold locks that
 * all requests need, and the lock that other migrations wait for. A statement may take any time: an index of millions of rows
 * takes minutes, and the role's limit is meant for requests.
 */
const limits = {
  statement_timeout: 0,
  /** Between two statements of a transaction the process only reads results. */
  idle_in_transaction_session_timeout: 5_000,
  /** Between two transactions the process pauses for at most `pauseMs`. */
  idle_session_timeout: 10_000,
  tcp_user_timeout: 7_000,
};

/** A request may be delayed by half a second. Two minutes of tries outlast a cleanup job, a backup's start or a slow query. */
const defaultRetry: RetryOptions = { lockTimeoutMs: 500, tries: 60, pauseMs: 1_500, report: () => {} };

export interface MigrateOptions extends Partial<RetryOptions> {
  /** The folder of the migrations; by default this version's folder. */
  folder?: string;
  /** The migrations to apply, as for the backup of an earlier version; by default all of them. */
  names?: readonly string[];
}

/**
 * Applies the missing migrations in the order of their names, each once. The platform may run meanwhile.
 *
 * @returns the names of the applied migrations.
 * @throws if the database cannot be reached or a migration fails. A failed migration in a transaction changed nothing.
 */
export async function applyMigrations(databaseUrl: string, options: MigrateOptions = {}): Promise<string[]> {
  const { folder = migrationsFolder, names = migrationNames(folder), ...retry } = options;
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'migrations',
    options: Object.entries(limits)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  });
  // A broken connection fails the statement in progress, so this event needs no other handling.
  client.on('error', () => {});
  await client.connect();
  try {
    await takeLock(client, retry.report);
    const missing = await findMissing(client, names, folder);
    for (const migration of missing) await applyMigration(client, migration, { ...defaultRetry, ...retry });
    return missing.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/**
 * Waits until no other process migrates this database. It polls, because a statement that waits for the lock would be an open
 * transaction. A `CREATE INDEX CONCURRENTLY` of the lock's holder waits for all open transactions, so both would deadlock.
 */
async function takeLock(client: pg.Client, report: RetryOptions['report'] = defaultRetry.report): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS taken', [migrationLock]);
    if (rows[0].taken) return;
    if (isFirst) report('waiting until another process has migrated the database');
    await sleep(pollMs);
  }
}

/** @throws if another tool left a migration that failed halfway, instead of building on it. */
async function findMissing(client: pg.Client, names: readonly string[], folder: string): Promise<Migration[]> {
  await ensureRecord(client);
  const recorded = await readRecord(client);
  const finished = new Set(recorded.filter((row) => row.finished).map((row) => row.name));
  const missing = names.filter((name) => !finished.has(name)).map((name) => readMigration(name, folder));
  const started = new Set(recorded.filter((row) => !row.finished).map((row) => row.name));
  const failed = missing.find(({ name, transactional }) => transactional && started.has(name));
  if (failed) {
    throw new Error(
      `the database has a failed migration, ${failed.name}: repair its partial changes, then set rolled_back_at or finished_at in _prisma_migrations`,
    );
  }
  return missing;
}
