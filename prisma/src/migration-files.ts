import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const migrationsFolder = path.join(import.meta.dirname, '..', 'migrations');

export interface Migration {
  /** The name of the migration's folder, which begins with its time of creation. */
  name: string;
  sql: string;
  /** The checksum of the migration's file as Prisma records it: SHA-256 in hexadecimal. */
  checksum: string;
  /** False if the file says `-- migrate: outside a transaction`; the migration can then be repeated. */
  transactional: boolean;
}

const outside = /^-- migrate: outside a transaction$/m;

export function migrationNames(folder = migrationsFolder): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return entries.map((entry) => entry.name).sort();
}

export function readMigration(name: string, folder = migrationsFolder): Migration {
  const bytes = readFileSync(path.join(folder, name, 'migration.sql'));
  const sql = bytes.toString('utf8');
  const checksum = createHash('sha256').update(bytes).digest('hex');
  return { name, sql, checksum, transactional: !outside.test(sql) };
}
