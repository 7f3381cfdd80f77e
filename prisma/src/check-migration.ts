import type { Migration } from './migration-files.ts';

interface Rule {
  pattern: RegExp;
  /** Why the statement is not allowed, and the alternative. */
  reason: string;
}

/**
 * Statements that would block requests on a large table, or break the previous version of the services, which runs during the
 * upgrade. The patterns match text and do not parse SQL. A table that the same migration creates is exempt.
 */
const rules: readonly Rule[] = [
  {
    pattern: /^CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)(?:IF NOT EXISTS )?\S+ ON "?(?<table>\w+)/gim,
    reason: 'blocks all writes until it is built: CREATE INDEX CONCURRENTLY in a migration of its own',
  },
  {
    pattern: /^DROP INDEX (?!CONCURRENTLY)/gim,
    reason: 'waits for every open transaction and blocks new ones: DROP INDEX CONCURRENTLY',
  },
  {
    pattern: /^ALTER TABLE "?(?<table>\w+)"?[^;]*ADD CONSTRAINT[^;]*(?:CHECK|FOREIGN KEY)(?![^;]*NOT VALID)/gim,
    reason: 'reads the whole table under its lock: add it NOT VALID, then VALIDATE CONSTRAINT in a later migration',
  },
  {
    pattern: /^ALTER TABLE "?(?<table>\w+)"?[^;]*ADD CONSTRAINT[^;]*(?:UNIQUE|PRIMARY KEY) \(/gim,
    reason: 'builds its index under its lock: create the index CONCURRENTLY, then add the constraint USING INDEX',
  },
  {
    pattern: /^ALTER TABLE "?(?<table>\w+)"?[^;]*ALTER COLUMN[^;]*(?:TYPE|SET NOT NULL)/gim,
    reason: 'reads or writes the whole table under its lock: a new column, or a CHECK that is validated first',
  },
  {
    pattern: /^ALTER TABLE "?(?<table>\w+)"?[^;]*ADD COLUMN(?![^;]*DEFAULT)[^;]*NOT NULL/gim,
    reason: 'fails if there are rows, and the previous version does not fill it: give it a default',
  },
  {
    pattern: /^ALTER TABLE "?(?<table>\w+)"?[^;]*(?:DROP COLUMN|RENAME)/gim,
    reason: 'removes what the previous version reads: do it in the release after the one that stopped using it',
  },
  {
    pattern: /^DROP TABLE/gim,
    reason: 'removes what the previous version reads: do it in the release after the one that stopped using it',
  },
  {
    pattern: /^(?:UPDATE|DELETE FROM|INSERT INTO)\b/gim,
    reason:
      'locks rows for as long as the migration takes: change them in slices from a job, as reencrypt-secrets.ts does',
  },
];

/** The comment before a statement that is allowed despite a rule: `-- allowed: why`. */
const allowed = /--\s*allowed:\s*\S+/;

/** Finds the problems of a migration on a large database in use, one sentence each. */
export function checkMigration({ sql, transactional }: Pick<Migration, 'sql' | 'transactional'>): string[] {
  const created = new Set([...sql.matchAll(/^CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)/gim)].map(([, table]) => table));
  const problems = rules.flatMap(({ pattern, reason }) =>
    [...sql.matchAll(pattern)]
      .filter(({ groups, index }) => !created.has(groups?.table) && !allowed.test(lineBefore(sql, index)))
      .map(([statement]) => `${firstLine(statement)} … ${reason}`),
  );
  const concurrent = /^(?:CREATE|DROP) .*CONCURRENTLY/im.test(sql);
  if (concurrent && transactional) problems.push('CONCURRENTLY needs the line `-- migrate: outside a transaction`');
  if (!transactional) problems.push(...checkRepeatable(sql));
  return problems;
}

/** A migration that is not rolled back when it fails halfway must be repeatable. */
function checkRepeatable(sql: string): string[] {
  return [...sql.matchAll(/^CREATE (?:UNIQUE )?INDEX CONCURRENTLY "?([\w{}]+)"?/gim)]
    .filter(([, name]) => !new RegExp(`^DROP INDEX CONCURRENTLY IF EXISTS "?${name}"?;`, 'im').test(sql))
    .map(([, name]) => `a failed one leaves an invalid index: DROP INDEX CONCURRENTLY IF EXISTS "${name}" before it`);
}

function lineBefore(sql: string, index: number): string {
  return sql.slice(0, index).trimEnd().split('\n').at(-1) ?? '';
}

function firstLine(statement: string): string {
  return statement.split('\n')[0]?.trim() ?? '';
}
