// Prints the SQL that leads from an earlier schema (standard input) to the current one, for a new migration:
//   git show HEAD:prisma/schema.prisma | npm run --silent diff -w prisma
// DATABASE_URL names any PostgreSQL database; nothing is read from or written to it.
// Statements that would block a large database in use are reported on standard error: docs/upgrade.md.
import { text } from 'node:stream/consumers';
import { checkMigration } from './check-migration.ts';
import { diffSchema } from './schema-engine.ts';

const earlier = await text(process.stdin);
const databaseUrl = process.env.DATABASE_URL;
if (!databaseUrl) throw new Error('DATABASE_URL must name a PostgreSQL database');
const sql = await diffSchema(databaseUrl, earlier);
process.stdout.write(sql);
for (const problem of checkMigration({ sql, transactional: true })) {
  process.stderr.write(`fix: ${problem}\n`);
}
