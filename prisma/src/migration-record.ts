import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Migration } from './migration-files.ts';

/**
 * Creates the table in which Prisma's `migrate deploy` records applied migrations, exactly as Prisma does, so that either command
 * can continue where the other stopped.
 */
export async function ensureRecord(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists`);
  if (rows[0].exists) return;
  await client.query(
    `CREATE TABLE IF NOT EXISTS _prisma_migrations (
       id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
       migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
       started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`,
  );
}

export interface Recorded {
  name: string;
  finished: boolean;
}

/** Reads the recorded migrations that were not rolled back. */
export async function readRecord(client: pg.Client): Promise<Recorded[]> {
  const { rows } = await client.query<Recorded>(
    `SELECT migration_name AS name, finished_at IS NOT NULL AS finished FROM _prisma_migrations
      WHERE rolled_back_at IS NULL`,
  );
  return rows;
}

export async function recordStarted(client: pg.Client, { name, checksum }: Migration): Promise<string> {
  const id = randomUUID();
  await client.query(
    'INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at) VALUES ($1, $2, $3, clock_timestamp())',
    [id, checksum, name],
  );
  return id;
}

export async function recordFinished(client: pg.Client, id: string): Promise<void> {
  await client.query(
    'UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = $1',
    [id],
  );
}

/** Marks the entries of an unfinished migration as rolled back, because it is run again. */
export async function recordRolledBack(client: pg.Client, name: string): Promise<void> {
  await client.query(
    `UPDATE _prisma_migrations SET rolled_back_at = clock_timestamp()
      WHERE migration_name = $1 AND finished_at IS NULL AND rolled_back_at IS NULL`,
    [name],
  );
}
