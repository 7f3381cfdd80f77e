import type { Manifest } from './manifest.ts';

/** Describes the content of a backup for people. */
export function describeBackup({ taken_at: at, tables, files }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const database = `${rows} rows of ${at}`;
  if (!files) return `${database}, without files`;
  const vanished = files.vanished > 0 ? `; ${files.vanished} expired meanwhile` : '';
  return `${database}, ${files.count} files (${Math.ceil(files.bytes / 1_000_000)} MB)${vanished}`;
}

/** Describes the content of a backup for scripts. */
export function summarizeBackup({ taken_at, migrations: _migrations, tables, files }: Manifest) {
  const rows = Object.fromEntries(tables.map((table) => [table.name, table.rows]));
  return { taken_at, rows, files: files && { count: files.count, bytes: files.bytes, vanished: files.vanished } };
}
