import { describe, expect, it } from '@jest/globals';
import { checkMigration } from './check-migration.ts';
import { migrationNames, readMigration } from './migration-files.ts';

/** The migrations of the first release need no check, because no database was in use then. */
const beforeTheRules = '20261121020000_sessions';

describe('the migrations', () => {
  it('block no requests', () => {
    const checked = migrationNames().filter((name) => name > beforeTheRules);
    expect(
      checked.flatMap((name) => checkMigration(readMigration(name)).map((problem) => `${name}: ${problem}`)),
    ).toEqual([]);
  });

  it('from before the rules are unchanged', () => {
    expect(migrationNames().filter((name) => name <= beforeTheRules)).toHaveLength(6);
  });
});

describe('checkMigration', () => {
  const check = (sql: string, transactional = true) => checkMigration({ sql, transactional }).join('\n');

  it.each([
    ['CREATE INDEX "a" ON "capture"("id");', 'CREATE INDEX CONCURRENTLY'],
    ['DROP INDEX "a";', 'DROP INDEX CONCURRENTLY'],
    ['ALTER TABLE "capture" ADD CONSTRAINT "c" CHECK ("width" > 0);', 'NOT VALID'],
    ['ALTER TABLE "capture" ADD CONSTRAINT "c" UNIQUE ("url");', 'USING INDEX'],
    ['ALTER TABLE "capture" ALTER COLUMN "url" TYPE VARCHAR(10);', 'a new column'],
    ['ALTER TABLE "capture" ADD COLUMN "size" INTEGER NOT NULL;', 'give it a default'],
    ['ALTER TABLE "capture" DROP COLUMN "url";', 'in the release after'],
    ['ALTER TABLE "capture" RENAME TO "screenshot";', 'in the release after'],
    ['DROP TABLE "capture";', 'in the release after'],
    [`UPDATE "capture" SET "url" = '';`, 'in slices'],
    ['CREATE INDEX CONCURRENTLY "a" ON "capture"("id");', '`-- migrate: outside a transaction`'],
  ])('rejects %s', (sql, problem) => {
    expect(check(sql)).toContain(problem);
  });

  it.each([
    'ALTER TABLE "capture" ADD COLUMN "size" INTEGER NOT NULL DEFAULT 0;',
    'ALTER TABLE "capture" ADD COLUMN "size" INTEGER;',
    'ALTER TABLE "capture" ADD CONSTRAINT "c" CHECK ("width" > 0) NOT VALID;',
    'CREATE TABLE "new" ("id" TEXT NOT NULL);\nCREATE INDEX "a" ON "new"("id");\nALTER TABLE "new" ADD CONSTRAINT "k" FOREIGN KEY ("id") REFERENCES "account"("id");',
    '-- allowed: the table has one row\nUPDATE "deployment" SET "id" = 1;',
  ])('accepts %s', (sql) => {
    expect(check(sql)).toBe('');
  });

  it('requires that a migration outside a transaction can be run again', () => {
    const create = 'CREATE INDEX CONCURRENTLY "a" ON "capture"("id");';
    expect(check(create, false)).toContain('DROP INDEX CONCURRENTLY IF EXISTS "a" before it');
    expect(check(`DROP INDEX CONCURRENTLY IF EXISTS "a";\n${create}`, false)).toBe('');
  });
});
