import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Migration } from './migration-files.ts';
import { recordFinished, recordRolledBack, recordStarted } from './migration-record.ts';

export interface RetryOptions {
  /** How long a statement may wait for a lock, milliseconds. Clients' statements queue up behind it for this time. */
  lockTimeoutMs: number;
  /** How often a migration that does not get its lock is tried. */
  tries: number;
  /** The pause between two tries, milliseconds. */
  pauseMs: number;
  /** Called after each failed try with a line about the transaction that blocks the migration. */
  report: (line: string) => void;
}

/** The SQLSTATE of a lock that was not available; another try may succeed. */
const lockNotAvailable = '55P03';
const deadlockDetected = '40P01';

/**
 * Applies one migration and records it. A migration in a transaction is applied completely or not at all; while a lock is not
 * available it is rolled back and tried again, so that the platform can work in between.
 *
 * @throws the error of Postgres; the message names the migration.
 */
export async function applyMigration(client: pg.Client, migration: Migration, retry: RetryOptions): Promise<void> {
  if (!migration.transactional) return applyOutside(client, migration);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await applyInTransaction(client, migration, retry.lockTimeoutMs);
    } catch (error) {
      // The rollback fails on a broken connection, whose end rolls back too.
      await client.query('ROLLBACK').catch(() => {});
      const { code, message } = error as { code?: string; message: string };
      if (code !== lockNotAvailable && code !== deadlockDetected) throw failed(migration, message, error);
      const blocker = await describeLongest(client);
      if (attempt === retry.tries) throw failed(migration, `${message} in ${attempt} tries; ${blocker}`, error);
      retry.report(`${migration.name}: waiting for a lock (try ${attempt}); ${blocker}`);
      await sleep(retry.pauseMs);
    }
  }
}

async function applyInTransaction(client: pg.Client, migration: Migration, lockTimeoutMs: number): Promise<void> {
  await client.query(`BEGIN; SET LOCAL lock_timeout = ${lockTimeoutMs}`);
  const id = await recordStarted(client, migration);
  await client.query(migration.sql);
  await recordFinished(client, id);
  await client.query('COMMIT');
}

/** Runs statements such as `CREATE INDEX CONCURRENTLY` one by one. Other statements do not wait behind them. */
async function applyOutside(client: pg.Client, migration: Migration): Promise<void> {
  await recordRolledBack(client, migration.name);
  const id = await recordStarted(client, migration);
  for (const statement of splitStatements(migration.sql)) {
    try {
      for (const each of await forEachPartition(client, statement)) await client.query(each);
    } catch (error) {
      throw failed(migration, `${(error as Error).message}; it can be run again`, error);
    }
  }
  await recordFinished(client, id);
}

/** Splits SQL into statements. A statement ends with a semicolon at the end of a line. */
function splitStatements(sql: string): string[] {
  const statements = sql.split(/;[ \t]*$/m).map((text) => text.trim());
  return statements.filter((text) => text.replace(/^\s*--.*$/gm, '').trim() !== '');
}

/**
 * Returns a statement after the line `-- for each partition of <table>` once for each partition, with the partition's name in
 * place of `{partition}`. An index of a partitioned table cannot be built concurrently, but an index of a partition can, and the
 * partitions' names differ between databases.
 */
async function forEachPartition(client: pg.Client, statement: string): Promise<string[]> {
  const [, table] = /^-- for each partition of (\w+)$/m.exec(statement) ?? [];
  if (table === undefined) return [statement];
  const { rows } = await client.query(
    'SELECT relname AS name FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = to_regclass($1) ORDER BY 1',
    [table],
  );
  return rows.map(({ name }) => statement.replaceAll('{partition}', name));
}

/** Describes the transaction that has been open longest, which is usually the transaction that blocks the migration. */
async function describeLongest(client: pg.Client): Promise<string> {
  const { rows } = await client.query(
    `SELECT pid, state, application_name AS name, extract(epoch FROM clock_timestamp() - xact_start)::int AS "openS"
       FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
      ORDER BY xact_start LIMIT 1`,
  );
  const [longest] = rows;
  if (!longest) return 'no other transaction is open now';
  const { pid, state, name, openS } = longest;
  return `the longest open transaction is that of process ${pid}${name ? ` (${name})` : ''}, ${state}, for ${openS} s`;
}

function failed({ name }: Migration, message: string, cause: unknown): Error {
  return new Error(`the migration ${name} failed: ${message}`, { cause });
}
