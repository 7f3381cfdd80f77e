import pg from 'pg';
import { migrationNames, migrationsList } from './migration-files.ts';
import { noFilters, withSchemaEngine } from './schema-engine.ts';

/** Any fixed number: two starts at once apply the migrations one after the other. */
const migrationLock = 7_310_554;

/**
 * Applies the migrations that a database does not have yet, in the order of their names, each once.
 *
 * @returns the names of those that were applied.
 * @throws when the database cannot be reached, or a migration fails; a failed one is recorded as such and must be
 * mended by hand before the next run.
 */
export async function applyMigrations(databaseUrl: string): Promise<string[]> {
  const lock = new pg.Client({ connectionString: databaseUrl });
  await lock.connect();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    if (await isUpToDate(lock)) return [];
    return await withSchemaEngine(databaseUrl, async (engine) => {
      const applied = await engine.applyMigrations({ migrationsList: migrationsList(), filters: noFilters });
      return applied.appliedMigrationNames;
    });
  } finally {
    await lock.end();
  }
}

/** Whether every migration was applied and finished; spares a start the second that the engine takes to load. */
async function isUpToDate(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists`);
  if (!rows[0].exists) return false;
  const finished = await client.query(
    'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  const names = new Set(finished.rows.map((row) => row.migration_name));
  return migrationNames().every((name) => names.has(name));
}
