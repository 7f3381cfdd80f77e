import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { timeOfId } from '@capture/database/ids';
import { settings } from '@capture/runtime/settings';
import type pg from 'pg';
import { withClient, withDatabase } from '../backup/with-database.ts';
import type { Surroundings } from '../environment.ts';
import { UsageError } from '../exit-codes.ts';
import { findDeployment } from '../find-deployment.ts';
import { exportRows, findOldest, type TimeRange } from './export-rows.ts';
import { type ExportedTable, exportedTables } from './exported-tables.ts';

const dayMs = 86_400_000;

/**
 * The default range of an export. It covers the records that the retention removes within a week, with a day for a late run and a
 * day for the incomplete day.
 */
const aheadDays = 9;

export interface ExportOptions {
  since?: Date;
  until?: Date;
  only?: readonly ExportedTable['name'][];
}

/** Runs `npm run ops -- export <folder>`; the folder `-` is the standard output. */
export async function runExport({ env, printer }: Surroundings, folder: string, options: ExportOptions): Promise<void> {
  const report = (line: string) => process.stderr.write(`  ${line}\n`);
  const tables = exportedTables.filter(({ name }) => options.only?.includes(name) ?? true);
  const records: Record<string, number> = {};
  let partialDay: string | null = null;
  await withDatabase(findDeployment(env), report, (url) =>
    withClient(url, async (client) => {
      // A day is a part of a partition, and the partition's index has it in order. Reading and sorting whole partitions takes
      // longer.
      await client.query('SET enable_seqscan = off; SET enable_sort = off');
      for (const table of tables) {
        const range = await readRange(client, table, env, options);
        if (range && folder !== '-') partialDay ??= findPartialDay(range, options);
        if (!range) records[table.name] = 0;
        else if (folder === '-') records[table.name] = await exportRows(client, table, range, process.stdout, false);
        else records[table.name] = await exportDays(client, table, range, path.resolve(folder));
      }
    }),
  );
  if (folder === '-') return;
  if (partialDay) report(`${partialDay} is left out: a file has a whole day (UTC). A later export adds it.`);
  const all = Object.entries(records).map(([name, count]) => `${count} ${name}`);
  printer().fact(`${folder}: ${all.join(', ')}`, { records });
}

/** The last day of a requested range if the range ends within that day, which then gets no file. */
function findPartialDay({ until }: TimeRange, { since, until: asked }: ExportOptions): string | null {
  const isAsked = since !== undefined || asked !== undefined;
  return isAsked && until.getTime() % dayMs > 0 ? toDate(until.getTime()) : null;
}

const toDate = (at: number) => new Date(at).toISOString().slice(0, 10);

/** @returns null if there are no records before its end. @throws {UsageError} if the range ends before it begins. */
async function readRange(
  client: pg.Client,
  table: ExportedTable,
  env: Surroundings['env'],
  options: ExportOptions,
): Promise<TimeRange | null> {
  if (options.since && options.until && options.since >= options.until)
    throw new UsageError('--until is before --since');
  const days = settings[table.retention].parse(env[table.retention] || undefined);
  const until = options.until ?? new Date(Date.now() - (options.since ? 0 : (days - aheadDays) * dayMs));
  const oldest = await findOldest(client, table);
  if (oldest === null) return null;
  const since = new Date(Math.max(timeOfId(oldest).getTime(), options.since?.getTime() ?? 0));
  return since < until ? { since, until } : null;
}

/**
 * Writes a file for each whole day (UTC) of the range. A file gets its name once it is complete, and later runs skip it, so
 * repeating an interrupted export resumes it.
 */
async function exportDays(client: pg.Client, table: ExportedTable, range: TimeRange, folder: string): Promise<number> {
  // The files contain requests of clients and addresses of receivers, so only the operator may read them.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  let records = 0;
  const firstDay = Math.floor(range.since.getTime() / dayMs) * dayMs;
  for (let day = firstDay; day + dayMs <= range.until.getTime(); day += dayMs) {
    const file = path.join(folder, `${table.name}-${toDate(day)}.jsonl`);
    if (existsSync(file)) continue;
    const part = `${file}.part`;
    const out = createWriteStream(part, { mode: 0o600, flush: true });
    const written = await exportRows(client, table, { since: new Date(day), until: new Date(day + dayMs) }, out);
    if (written === 0) await rm(part);
    else await rename(part, file);
    records += written;
  }
  return records;
}
