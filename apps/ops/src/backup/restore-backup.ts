import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { applyMigrations } from '@capture/migrations/migrate';
import { migrationNames } from '@capture/migrations/migration-files';
import { checkKey, type Storage } from '@capture/storage/storage';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { FailedError } from '../exit-codes.ts';
import { type ListedFile, readLines } from './file-list.ts';
import { inParallel } from './in-parallel.ts';
import type { Manifest } from './manifest.ts';
import { readTables, target } from './tables.ts';
import { verifyDatabase } from './verify-backup.ts';
import { withClient } from './with-database.ts';

const atOnce = 8;

export interface RestoreProgress {
  rows(table: string, done: number, total: number): void;
  files(done: number, total: number): void;
}

/**
 * Restores a backup into a database without accounts and captures, and into a store: first the files, then the rows in one
 * transaction, so that an interrupted restore can be repeated. Applies migrations later than the backup at the end.
 *
 * @param store null leaves the files out.
 * @throws {FailedError} if the backup is damaged or of a later version, or the database is in use.
 */
export async function restoreBackup(
  databaseUrl: string,
  store: Storage | null,
  folder: string,
  manifest: Manifest,
  progress: RestoreProgress,
): Promise<void> {
  await verifyDatabase(folder, manifest);
  const unknown = manifest.migrations.filter((name) => !migrationNames().includes(name));
  if (unknown.length > 0) {
    throw new FailedError(
      `the backup was made by a later version (${unknown.join(', ')}): restore it with that version`,
    );
  }
  await withClient(databaseUrl, expectUnused);
  if (store) await restoreFiles(store, folder, manifest, progress.files);
  await applyMigrations(databaseUrl, { names: manifest.migrations });
  await withClient(databaseUrl, (client) => restoreRows(client, folder, manifest, progress));
  await applyMigrations(databaseUrl);
  // Without statistics the planner scans whole tables.
  await withClient(databaseUrl, (client) => client.query('ANALYZE'));
}

/** @throws {FailedError} if the database is not empty, or a platform is running on it. */
async function expectUnused(client: pg.Client): Promise<void> {
  const { rows: tables } = await client.query(`SELECT to_regclass('account') IS NOT NULL AS "there"`);
  if (!tables[0].there) return;
  const { rows } = await client.query(
    `SELECT EXISTS (SELECT FROM account) OR EXISTS (SELECT FROM capture) AS used,
            EXISTS (SELECT FROM worker WHERE heartbeat_at > now() - interval '15 seconds')
              OR EXISTS (SELECT FROM dispatcher WHERE heartbeat_at > now() - interval '15 seconds') AS running`,
  );
  const [{ used, running }] = rows;
  if (used) throw new FailedError('the database contains accounts or captures: use an empty one');
  if (running) throw new FailedError('a platform is running on the database: stop it first');
}

async function restoreRows(
  client: pg.Client,
  folder: string,
  manifest: Manifest,
  progress: RestoreProgress,
): Promise<void> {
  const all = manifest.tables.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  await client.query('BEGIN');
  // A platform that starts on the database now waits until the restore is complete.
  await client.query('LOCK TABLE account, capture IN EXCLUSIVE MODE; DELETE FROM deployment');
  await expectUnused(client);
  for (const { name } of await readTables(client)) {
    const table = manifest.tables.find((each) => each.name === name);
    if (!table) continue;
    const copy = client.query(copyFrom(`COPY ${target(table)} FROM STDIN`));
    try {
      await pipeline(createReadStream(path.join(folder, table.file)), createGunzip(), copy);
    } catch (cause) {
      throw new FailedError(`${name} could not be restored: ${(cause as Error).message}`, { cause });
    }
    const { rowCount: rows } = copy;
    if (rows !== table.rows) throw new FailedError(`${name} has ${rows} rows, its backup ${table.rows}`);
    done += rows;
    progress.rows(name, done, all);
  }
  // Redis does not know these captures. This schedules them again at once instead of after 15 s.
  await client.query(`UPDATE capture SET enqueued_at = NULL WHERE status = 'queued' AND enqueued_at IS NOT NULL`);
  await client.query('COMMIT');
}

async function restoreFiles(
  store: Storage,
  folder: string,
  { files }: Manifest,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  if (!files) return;
  let done = 0;
  await inParallel(readLines(path.join(folder, files.list)), atOnce, async (line) => {
    const { key, size, sha256 }: ListedFile = JSON.parse(line);
    checkKey(key);
    // An interrupted restore may have written the file. Files are written atomically and never changed.
    const there = await store.open(key);
    there?.stream.destroy();
    if (there?.size !== size) await store.put(key, await readVerified(folder, key, sha256));
    done += 1;
    onProgress(done, files.count);
  });
}

/** A file is at most 96 MB, and usually below 1 MB. */
async function readVerified(folder: string, key: string, sha256: string): Promise<Buffer> {
  const file = path.join(folder, 'files', ...key.split('/'));
  const bytes = await readFile(file).catch((cause: Error) => {
    throw new FailedError(`${key} of the backup cannot be read: ${cause.message}`, { cause });
  });
  if (hash('sha256', bytes) !== sha256) throw new FailedError(`${key} of the backup is damaged: its checksum differs`);
  return bytes;
}
