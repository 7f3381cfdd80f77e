import { createWriteStream } from 'node:fs';
import { chmod, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { htmlFileIn } from '@capture/database/captures/stored-options';
import type { Storage } from '@capture/storage/storage';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { FailedError } from '../exit-codes.ts';
import { copyFiles } from './copy-files.ts';
import { RowCount } from './count-rows.ts';
import { Checksum, type Manifest, writeManifest } from './manifest.ts';
import { listColumns, readTables, type TableColumns } from './tables.ts';

/** Level 3 is fast, and still shrinks text to a fifth. */
const compression = { level: 3 };

export interface BackupProgress {
  /** Called for each table, with the number of copied rows and the estimated number of rows of all tables. */
  rows(table: string, done: number, estimated: number): void;
  files(done: number, total: number): void;
}

/**
 * Writes a backup of a running platform into a new folder: a snapshot of the database, each table in the text format of COPY,
 * then the files of its captures. Blocks no other work; files that expire meanwhile are counted.
 *
 * @param store null leaves the files out.
 * @throws {FailedError} if the folder is not empty.
 */
export async function makeBackup(
  client: pg.Client,
  store: Storage | null,
  folder: string,
  progress: BackupProgress,
): Promise<Manifest> {
  await mkdir(path.join(folder), { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new FailedError(`${folder} is not empty: use a new folder`);
  await chmod(folder, 0o700);
  const snapshot = await dumpDatabase(client, folder, progress);
  const files = store && (await copyFiles(store, folder, snapshot.keys, progress.files));
  const { keys: _keys, ...database } = snapshot;
  const manifest = { ...database, files, finished_at: new Date().toISOString() };
  await writeManifest(folder, manifest);
  return { format: 1, ...manifest };
}

interface Snapshot extends Omit<Manifest, 'format' | 'files' | 'finished_at'> {
  /** The list of file keys, one per line. */
  keys: { file: string; count: number };
}

/** Uses one transaction with one snapshot. It ends before the files are copied, because copying takes longer. */
async function dumpDatabase(client: pg.Client, folder: string, progress: BackupProgress): Promise<Snapshot> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const { rows: facts } = await client.query(
    `SELECT now() AS "takenAt", current_setting('server_version') AS postgres,
            (SELECT contract_form FROM deployment) AS form,
            array(SELECT migration_name::text FROM _prisma_migrations
                   WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY 1) AS migrations`,
  );
  const { takenAt, postgres, form, migrations } = facts[0];
  await mkdir(path.join(folder, 'database'), { mode: 0o700 });
  const tables = await readTables(client);
  const estimated = tables.reduce((sum, table) => sum + table.estimatedRows, 0);
  const dumped: Manifest['tables'] = [];
  let before = 0;
  for (const table of tables) {
    const one = await dumpTable(client, folder, table, (rows) => progress.rows(table.name, before + rows, estimated));
    dumped.push(one);
    before += one.rows;
  }
  const keys = path.join(folder, 'keys.txt');
  const count = await dumpKeys(client, keys);
  await client.query('COMMIT');
  return {
    taken_at: takenAt.toISOString(),
    postgres,
    contract_form: form ?? '',
    migrations,
    tables: dumped,
    keys: { file: keys, count },
  };
}

/** The interval for reporting progress, milliseconds. */
const reportEveryMs = 200;

async function dumpTable(client: pg.Client, folder: string, table: TableColumns, onProgress: (rows: number) => void) {
  const file = path.join('database', `${table.name}.copy.gz`);
  // COPY does not read a partitioned table by its name, so it copies a query.
  const copied = client.query(
    copyTo(`COPY (SELECT ${listColumns(table)} FROM ${pg.escapeIdentifier(table.name)}) TO STDOUT`),
  );
  const count = new RowCount();
  const checksum = new Checksum();
  const timer = setInterval(() => onProgress(count.rows), reportEveryMs);
  try {
    const out = createWriteStream(path.join(folder, file), { mode: 0o600, flush: true });
    await pipeline(copied, count, createGzip(compression), checksum, out);
  } finally {
    clearInterval(timer);
  }
  onProgress(count.rows);
  return { name: table.name, columns: table.columns, rows: count.rows, file, sha256: checksum.sha256() };
}

async function dumpKeys(client: pg.Client, file: string): Promise<number> {
  const query = `SELECT storage_key FROM capture WHERE storage_key IS NOT NULL
                  UNION
                 SELECT jsonb_array_elements(outputs)->>'key' FROM capture
                  WHERE storage_key IS NOT NULL AND outputs IS NOT NULL
                  UNION
                 SELECT ${htmlFileIn('options')} FROM capture
                  WHERE status IN ('queued', 'processing') AND ${htmlFileIn('options')} IS NOT NULL
                  ORDER BY 1`;
  const copied = client.query(copyTo(`COPY (${query}) TO STDOUT`));
  await pipeline(copied, createWriteStream(file, { mode: 0o600 }));
  return copied.rowCount;
}
