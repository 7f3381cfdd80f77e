import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Migration } from './migration-files.ts';
import { recordFinished, recordRolledBack, recordStarted } from './migration-record.ts';

export interface RetryOptions {
  /**
   * How long a statement may wait for a lock, milliseconds. Whoever comes after it waits behind it, so this is what a
   * client's request may take longer at most.
   */
  lockTimeoutMs: number;
  /** How often a migration is tried that did not get its lock. */
  tries: number;
  /** Between two tries, milliseconds. */
  pauseMs: number;
  /** Told who is in the way, after each try. */
  report: (line: string) => void;
}

/** SQLSTATEs of a lock that was not to be had: another try may have better luck. */
const lockNotAvailable = '55P03';
const deadlockDetected = '40P01';

/**
 * Applies one migration and writes it down. One in a transaction happens as a whole or not at all; while a lock is not to
 * be had it is taken back and tried again, so that the platform goes on in between.
 *
 * @throws what Postgres says; the message names the migration.
 */
export async function applyMigration(client: pg.Client, migration: Migration, patience: RetryOptions): Promise<void> {
  if (!migration.transactional) return applyOutside(client, migration);
  for (let tried = 1; ; tried += 1) {
    try {
      return await applyInTransaction(client, migration, patience.lockTimeoutMs);
    } catch (error) {
      // A connection that broke cannot; its end takes all back.
      await client.query('ROLLBACK').catch(() => {});
      const { code, message } = error as { code?: string; message: string };
      if (code !== lockNotAvailable && code !== deadlockDetected) throw failed(migration, message, error);
      const blocker = await describeLongest(client);
      if (tried === patience.tries) throw failed(migration, `${message} in ${tried} tries; ${blocker}`, error);
      patience.report(`${migration.name}: waiting for a lock (try ${tried}); ${blocker}`);
      await sleep(patience.pauseMs);
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

/**
 * Statements such as `CREATE INDEX CONCURRENTLY`, each by itself. They wait for transactions that are older, for as long as
 * those take, and nobody waits behind them.
 */
async function applyOutside(client: pg.Client, migration: Migration): Promise<void> {
  await recordRolledBack(client, migration.name);
  const id = await recordStarted(client, migration);
  for (const statement of statementsOf(migration.sql)) {
    try {
      await client.query(statement);
    } catch (error) {
      throw failed(migration, `${(error as Error).message}; it can be run again`, error);
    }
  }
  await recordFinished(client, id);
}

/** A statement ends with a semicolon at the end of its line. */
function statementsOf(sql: string): string[] {
  const statements = sql.split(/;[ \t]*$/m).map((text) => text.trim());
  return statements.filter((text) => text.replace(/^\s*--.*$/gm, '').trim() !== '');
}

/** The transaction that has been open for longest, which is mostly the one in the way. */
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
