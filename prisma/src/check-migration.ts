import type { Migration } from './migration-files.ts';

interface Rule {
  pattern: RegExp;
  /** Why it is not to be done so, and how instead. */
  reason: string;
}

/**
 * What would hold up requests on a large table, or break the version of the services that runs beside the new one. It
 * reads words, not SQL: a table that the same migration makes may be treated in any way.
 */
const rules: readonly Rule[] = [
  {
    pattern: /^CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)(?:IF NOT EXISTS )?\S+ ON "?(?<table>\w+)/gim,
    reason: 'keeps everybody from writing for as long as it takes: CREATE INDEX CONCURRENTLY in a migration of its own',
  },
  { pattern: /^DROP INDEX (?!CONCURRENTLY)/gim, reason: 'waits for everybody: DROP INDEX CONCURRENTLY' },
  {
    pattern: /^ALTER TABLE "?(?<table>\w+)"?[^;]*ADD CONSTRAINT[^;]*(?:CHECK|FOREIGN KEY)(?![^;]*NOT VALID)/gim,
    reason: 'reads the whole table under its lock: add it NOT VALID, then VALIDATE CONSTRAINT in a later migration',
  },
  {
    pattern: /^ALTER TABLE "?(?<table>\w+)"?[^;]*ADD CONSTRAINT[^;]*(?:UNIQUE|PRIMARY KEY) \(/gim,
    reason: 'builds its index under its lock: make the index CONCURRENTLY, then add the constraint USING INDEX',
  },
  {
    pattern: /^ALTER TABLE "?(?<table>\w+)"?[^;]*ALTER COLUMN[^;]*(?:TYPE|SET NOT NULL)/gim,
    reason: 'reads or writes the whole table under its lock: a new column, or a CHECK that is validated first',
  },
  {
    pattern: /^ALTER TABLE "?(?<table>\w+)"?[^;]*ADD COLUMN(?![^;]*DEFAULT)[^;]*NOT NULL/gim,
    reason: 'fails where there are rows, and the version before does not fill it: give it a default',
  },
  {
    pattern: /^ALTER TABLE "?(?<table>\w+)"?[^;]*(?:DROP COLUMN|RENAME)/gim,
    reason: 'takes away what the version before reads: in the release after the one that stopped using it',
  },
  {
    pattern: /^DROP TABLE/gim,
    reason: 'takes away what the version before reads: in the release after the one that stopped using it',
  },
  {
    pattern: /^(?:UPDATE|DELETE FROM|INSERT INTO)\b/gim,
    reason:
      'locks rows for as long as the migration takes: change them in slices from a sweep, as reseal-secrets.ts does',
  },
];

/** The comment before a statement that is right all the same: `-- allowed: why`. */
const allowed = /--\s*allowed:\s*\S+/;

/** What is wrong with a migration for a large database in use, one sentence each. */
export function checkMigration({ sql, transactional }: Pick<Migration, 'sql' | 'transactional'>): string[] {
  const made = new Set([...sql.matchAll(/^CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)/gim)].map(([, table]) => table));
  const faults = rules.flatMap(({ pattern, reason }) =>
    [...sql.matchAll(pattern)]
      .filter(({ groups, index }) => !made.has(groups?.table) && !allowed.test(lineBefore(sql, index)))
      .map(([statement]) => `${firstLine(statement)} … ${reason}`),
  );
  const concurrent = /^(?:CREATE|DROP) .*CONCURRENTLY/im.test(sql);
  if (concurrent && transactional) faults.push('CONCURRENTLY needs the line `-- migrate: outside a transaction`');
  if (!transactional) faults.push(...checkRepeatable(sql));
  return faults;
}

/** What is not taken back when it fails half-way must be able to run again. */
function checkRepeatable(sql: string): string[] {
  return [...sql.matchAll(/^CREATE (?:UNIQUE )?INDEX CONCURRENTLY "?(\w+)"?/gim)]
    .filter(([, name]) => !new RegExp(`^DROP INDEX CONCURRENTLY IF EXISTS "?${name}"?;`, 'im').test(sql))
    .map(([, name]) => `a failed one leaves an invalid index: DROP INDEX CONCURRENTLY IF EXISTS "${name}" before it`);
}

function lineBefore(sql: string, index: number): string {
  return sql.slice(0, index).trimEnd().split('\n').at(-1) ?? '';
}

function firstLine(statement: string): string {
  return statement.split('\n')[0]?.trim() ?? '';
}
