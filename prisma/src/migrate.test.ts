import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeTestFolder } from '@capture/testing/test-run';
import { describe, expect, it } from '@jest/globals';
import { query, withEmptyDatabase } from './empty-database.test-support.ts';
import { applyMigrations } from './migrate.ts';
import { migrationNames, migrationsFolder, readMigration } from './migration-files.ts';
import { diffSchema, noFilters, withSchemaEngine } from './schema-engine.ts';

/** The upgrade relies on the form of the platform's ids. */
const captureId = 'req_01kaqzn3v8e5x4c7w2m9t6rqbd';

const recorded = (url: string) =>
  query(url, 'SELECT migration_name, finished_at, applied_steps_count FROM _prisma_migrations ORDER BY 1');

describe('the migrations', () => {
  it('have names that sort by their creation', () => {
    const names = migrationNames();
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(name).toMatch(/^\d{14}_[a-z_]+$/);
    expect(names).toEqual([...names].sort());
  });

  it('are applied once, in order, and recorded as Prisma does', () =>
    withEmptyDatabase(async (url) => {
      expect(await applyMigrations(url)).toEqual(migrationNames());
      const rows = await recorded(url);
      expect(rows.map((row) => row.migration_name)).toEqual(migrationNames());
      for (const row of rows) expect(row).toMatchObject({ finished_at: expect.any(Date), applied_steps_count: 1 });
      expect(await applyMigrations(url)).toEqual([]);
      expect(await recorded(url)).toEqual(rows);
    }));

  it('are applied once by four starts at the same time', () =>
    withEmptyDatabase(async (url) => {
      const applied = await Promise.all([1, 2, 3, 4].map(() => applyMigrations(url)));
      expect(applied.flat()).toEqual(migrationNames());
      expect(await recorded(url)).toHaveLength(migrationNames().length);
    }));

  it('upgrade an older database and keep its rows', () =>
    withEmptyDatabase(async (url) => {
      const [first, ...later] = migrationNames() as [string, ...string[]];
      // This is the database of an earlier release, with only the first migration.
      await applyMigrations(url);
      const table = await query(url, 'SELECT * FROM _prisma_migrations ORDER BY migration_name LIMIT 1');
      await query(url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
      await query(url, readMigration(first).sql);
      await query(
        url,
        `CREATE TABLE _prisma_migrations (
           id VARCHAR(36) PRIMARY KEY, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
           migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
           started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0);
         INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count)
         VALUES ('${table[0]?.id}', '${table[0]?.checksum}', now(), '${first}', 1);
         INSERT INTO account (id, email, plan, created_at, signing_secret, signing_secret_created_at)
         VALUES ('acc_1', 'ada@example.com', 'free', now(), 'x', now());
         INSERT INTO capture (id, account_id, type, url, options, month, created_at)
         VALUES ('${captureId}', 'acc_1', 'screenshot', 'https://example.com/', '{}', '2026-11', now())`,
      );
      expect(await applyMigrations(url)).toEqual(later);
      expect(await query(url, 'SELECT id, status FROM capture')).toEqual([{ id: captureId, status: 'queued' }]);
    }));

  it('count as applied for Prisma, whose command can continue from there', () =>
    withEmptyDatabase(async (url) => {
      await applyMigrations(url);
      const migrationDirectories = migrationNames().map((name) => ({
        path: name,
        migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: readMigration(name).sql } },
      }));
      const migrationsList = {
        baseDir: migrationsFolder,
        lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
        shadowDbInitScript: '',
        migrationDirectories,
      };
      await withSchemaEngine(url, async (engine) => {
        const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters: noFilters });
        expect(appliedMigrationNames).toEqual([]);
        const diagnosis = await engine.diagnoseMigrationHistory({
          migrationsList,
          filters: noFilters,
          optInToShadowDatabase: false,
        });
        expect(diagnosis).toMatchObject({ history: null, editedMigrationNames: [], failedMigrationNames: [] });
      });
    }));

  it('run on a connection that the server ends soon if the process freezes', () =>
    withEmptyDatabase(async (url) => {
      const folder = makeTestFolder('migrations');
      mkdirSync(path.join(folder, '20260101000000_limits'));
      writeFileSync(
        path.join(folder, '20260101000000_limits', 'migration.sql'),
        `CREATE TABLE limits AS SELECT name, setting FROM pg_settings WHERE name ~ '^(idle_(in_transaction_)?session|statement|tcp_user)_timeout$'`,
      );
      await applyMigrations(url, { folder });
      expect(await query(url, 'SELECT name, setting FROM limits ORDER BY name')).toEqual([
        { name: 'idle_in_transaction_session_timeout', setting: '5000' },
        { name: 'idle_session_timeout', setting: '10000' },
        { name: 'statement_timeout', setting: '0' },
        { name: 'tcp_user_timeout', setting: '7000' },
      ]);
    }));

  it('report that another process is migrating the database', () =>
    withEmptyDatabase(async (url) => {
      const lines: string[] = [];
      const report = (line: string) => lines.push(line);
      await Promise.all([1, 2].map(() => applyMigrations(url, { report })));
      expect(lines).toEqual(['waiting until another process has migrated the database']);
    }));

  it('stop at a migration that failed before', () =>
    withEmptyDatabase(async (url) => {
      await applyMigrations(url);
      await query(url, `UPDATE _prisma_migrations SET finished_at = NULL, logs = 'out of disk'`);
      await expect(applyMigrations(url)).rejects.toThrow(/failed migration/i);
    }));

  it('fail when the database cannot be reached', async () => {
    await expect(applyMigrations('postgres://unknown@127.0.0.1:1/none')).rejects.toThrow('ECONNREFUSED');
  });
});

describe('a migrated database', () => {
  it('has exactly the tables, columns, keys and indexes of schema.prisma', () =>
    withEmptyDatabase((migrated) =>
      withEmptyDatabase(async (expected) => {
        await applyMigrations(migrated);
        await query(expected, await diffSchema(expected));
        expect(await describeDatabase(migrated)).toEqual(await describeDatabase(expected));
      }),
    ));

  it('has the check constraints and partial indexes that schema.prisma cannot express', () =>
    withEmptyDatabase(async (url) => {
      await applyMigrations(url);
      const wanted = [
        ...migrationNames()
          .map((name) => readMigration(name).sql)
          .join('\n')
          .matchAll(/^(CREATE|DROP) (?:UNIQUE )?INDEX (?:CONCURRENTLY )?(?:IF EXISTS )?"(\w+)"/gm),
      ];
      const remaining = new Set<string>();
      for (const [, verb, name] of wanted) verb === 'CREATE' ? remaining.add(name!) : remaining.delete(name!);
      // A unique index without the partition key belongs to a partition.
      for (const columns of ['capture_id_name', 'batch_id_name_count']) {
        remaining.delete(`event_${columns}_key`);
        for (const partition of ['first', 'default']) remaining.add(`event_${partition}_${columns}_key`);
      }
      const indexes = await query(url, `SELECT indexname FROM pg_indexes WHERE schemaname = 'public'`);
      expect(indexes.map((row) => row.indexname)).toEqual(expect.arrayContaining([...remaining]));
      for (const row of [
        `INSERT INTO account (id, email, plan, status, created_at, signing_secret, signing_secret_created_at)
         VALUES ('a', 'a', 'free', 'gone', now(), '', now())`,
        `INSERT INTO delivery (id, event_id, account_id, url, status, created_at) VALUES ('d', 'e', 'a', '', 'lost', now())`,
        `INSERT INTO capture (id, account_id, type, url, options, month, status, created_at)
         VALUES ('c', 'a', 'pdf', '', '{}', '2026-11', 'done', now())`,
        `INSERT INTO usage (account_id, month, reserved) VALUES ('a', '2026-11', -1)`,
      ]) {
        await expect(query(url, row)).rejects.toThrow('violates check constraint');
      }
    }));
});

/** Describes everything that schema.prisma can express: no check constraints, partial indexes or generated columns. */
async function describeDatabase(url: string) {
  // Partitions have the structure of their table.
  const ours = `n.nspname = 'public' AND c.relname <> '_prisma_migrations' AND NOT c.relispartition`;
  const columns = await query(
    url,
    `SELECT c.relname AS "table", a.attname AS "column", format_type(a.atttypid, a.atttypmod) AS type,
            a.attnotnull AS required,
            CASE WHEN a.attgenerated = '' THEN pg_get_expr(d.adbin, d.adrelid) END AS "default"
       FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
       LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
      WHERE ${ours} AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped ORDER BY 1, 2`,
  );
  const constraints = await query(
    url,
    `SELECT c.relname AS "table", k.conname AS name, pg_get_constraintdef(k.oid) AS definition
       FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE ${ours} AND k.contype IN ('p', 'u', 'f') ORDER BY 1, 2`,
  );
  const indexes = await query(
    url,
    `SELECT replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') AS definition
       FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE ${ours} AND i.indpred IS NULL AND i.indexprs IS NULL ORDER BY 1`,
  );
  return { columns, constraints, indexes };
}
