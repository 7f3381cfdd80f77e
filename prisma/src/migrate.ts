import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { applyMigration, type RetryOptions } from './apply-migration.ts';
import { type Migration, migrationNames, migrationsFolder, readMigration } from './migration-files.ts';
import { ensureRecord, readRecord } from './migration-record.ts';

/** One process at a time migrates a database. The other locks are in packages/database/src/locks.ts. */
const migrationLock = 7_310_554;

/** How often somebody else's migrations are looked after, milliseconds. */
const lookEveryMs = 200;

/** Half a second is what a request may be held up by; two minutes of tries outlast a sweep, a backup's start, a slow query. */
const defaultRetry: RetryOptions = { lockTimeoutMs: 500, tries: 60, pauseMs: 1_500, report: () => {} };

export interface MigrateOptions extends Partial<RetryOptions> {
  /** Where the migrations are; those of this version unless given. */
  folder?: string;
  /** Only those, as a backup of an earlier version had them. */
  names?: readonly string[];
}

/**
 * Applies the migrations that a database does not have yet, in the order of their names, each once. The platform may run
 * meanwhile.
 *
 * @returns the names of those that were applied.
 * @throws when the database cannot be reached, or a migration fails. One in a transaction has then done nothing.
 */
export async function applyMigrations(databaseUrl: string, options: MigrateOptions = {}): Promise<string[]> {
  const { folder = migrationsFolder, names = migrationNames(folder), ...patience } = options;
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'migrations',
    // An index of millions of rows takes minutes; the role's own limit is made for requests.
    statement_timeout: 0,
  });
  // A connection that breaks fails the statement under way.
  client.on('error', () => {});
  await client.connect();
  try {
    await takeTurn(client);
    const missing = await findMissing(client, names, folder);
    for (const migration of missing) await applyMigration(client, migration, { ...defaultRetry, ...patience });
    return missing.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/**
 * Waits until nobody else migrates this database, asking again and again: a statement that waited for the lock would
 * itself be an open transaction, and `CREATE INDEX CONCURRENTLY` of whoever holds it waits for all of those: a deadlock.
 */
async function takeTurn(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS taken', [migrationLock]);
    if (rows[0].taken) return;
    await sleep(lookEveryMs);
  }
}

/** @throws when one failed half-way under another tool, instead of building on what is half there. */
async function findMissing(client: pg.Client, names: readonly string[], folder: string): Promise<Migration[]> {
  await ensureRecord(client);
  const recorded = await readRecord(client);
  const finished = new Set(recorded.filter((row) => row.finished).map((row) => row.name));
  const missing = names.filter((name) => !finished.has(name)).map((name) => readMigration(name, folder));
  const begun = new Set(recorded.filter((row) => !row.finished).map((row) => row.name));
  const half = missing.find(({ name, transactional }) => transactional && begun.has(name));
  if (half) {
    throw new Error(
      `the database has a failed migration, ${half.name}: mend what it left half done, then say so in _prisma_migrations (rolled_back_at, or finished_at)`,
    );
  }
  return missing;
}
