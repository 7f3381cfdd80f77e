// Prints the SQL that leads from a former schema (standard input) to the present one, to be put into a new migration:
//   git show HEAD:prisma/schema.prisma | npm run --silent diff -w prisma
// DATABASE_URL names any PostgreSQL database; nothing is read from or written to it.
// What would hold up a large database in use is told on standard error: docs/upgrade.md.
import { text } from 'node:stream/consumers';
import { checkMigration } from './check-migration.ts';
import { noFilters, schemaFiles, withSchemaEngine } from './schema-engine.ts';

const former = await text(process.stdin);
const databaseUrl = process.env.DATABASE_URL;
if (!databaseUrl) throw new Error('DATABASE_URL must name a PostgreSQL database');
const { stdout } = await withSchemaEngine(databaseUrl, (engine) =>
  engine.diff({
    from: former.trim()
      ? { tag: 'schemaDatamodel', files: [{ path: 'former.prisma', content: former }] }
      : { tag: 'empty' },
    to: { tag: 'schemaDatamodel', files: schemaFiles },
    script: true,
    shadowDatabaseUrl: null,
    exitCode: null,
    filters: noFilters,
  }),
);
process.stdout.write(stdout ?? '');
for (const fault of checkMigration({ sql: stdout ?? '', transactional: true }))
  process.stderr.write(`mend: ${fault}\n`);
