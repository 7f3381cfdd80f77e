import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { applyMigration, type RetryOptions } from './apply-migration.ts';
import { type Migration, migrationNames, migrationsFolder, readMigration } from './migration-files.ts';
import { ensureRecord, readRecord } from './migration-record.ts';

/** One process at a time migrates a database. The other locks are in packages/database/src/locks.ts. */
const migrationLock = 7_310_554;

/** How often to check whether another process has finished migrating, milliseconds. */
const pollMs = 200;

/**
 * The limits that the server keeps on this connection. A process that freezes, or whose network is lost, may hold locks that all
 * requests need, and the one that other migrations wait for. A statement may take any time: an index of millions of rows takes
 * minutes, and the role's own limit is meant for requests.
 */
const limits = {
  statement_timeout: 0,
  /** Between two statements of a transaction the process only reads results. */
  idle_in_transaction_session_timeout: 5_000,
  /** Between two transactions it pauses for `pauseMs` at most. */
  idle_session_timeout: 10_000,
  tcp_user_timeout: 7_000,
};

/** A request may be delayed by half a second; two minutes of tries outlast a cleanup job, a backup's start, a slow query. */
const defaultRetry: RetryOptions = { lockTimeoutMs: 500, tries: 60, pauseMs: 1_500, report: () => {} };

export interface MigrateOptions extends Partial<RetryOptions> {
  /** The folder of the migrations; by default this version's. */
  folder?: string;
  /** Only these, as for the backup of an earlier version. */
  names?: readonly string[];
}

/**
 * Applies the missing migrations in the order of their names, each once. The platform may run meanwhile.
 *
 * @returns the names of the applied migrations.
 * @throws when the database cannot be reached, or a migration fails. If that one ran in a transaction, it changed nothing.
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
  // A broken connection fails the statement in progress.
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
 * Waits until no other process migrates this database. It polls: a statement that waited for the lock would itself be an
 * open transaction, and a `CREATE INDEX CONCURRENTLY` of the lock's holder waits for all of those: a deadlock.
 */
async function takeLock(client: pg.Client, report: RetryOptions['report'] = defaultRetry.report): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS taken', [migrationLock]);
    if (rows[0].taken) return;
    if (isFirst) report('waiting until another process has migrated the database');
    await sleep(pollMs);
  }
}

/** @throws when a migration failed halfway under another tool, instead of building on what it left. */
async function findMissing(client: pg.Client, names: readonly string[], folder: string): Promise<Migration[]> {
  await ensureRecord(client);
  const recorded = await readRecord(client);
  const finished = new Set(recorded.filter((row) => row.finished).map((row) => row.name));
  const missing = names.filter((name) => !finished.has(name)).map((name) => readMigration(name, folder));
  const started = new Set(recorded.filter((row) => !row.finished).map((row) => row.name));
  const failed = missing.find(({ name, transactional }) => transactional && started.has(name));
  if (failed) {
    throw new Error(
      `the database has a failed migration, ${failed.name}: fix what it left half done, then set rolled_back_at or finished_at in _prisma_migrations`,
    );
  }
  return missing;
}
