import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { query, withClient, withEmptyDatabase } from './empty-database.test-support.ts';
import { applyMigrations, type MigrateOptions } from './migrate.ts';

let folder: string;
let reported: string[];
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'migrations-'));
  reported = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, sql: string): void {
  mkdirSync(path.join(folder, name), { recursive: true });
  writeFileSync(path.join(folder, name, 'migration.sql'), sql);
}

/** Tries quickly, and for as long as the test blocks the migration. */
const migrate = (url: string, options: MigrateOptions = {}) =>
  applyMigrations(url, {
    folder,
    lockTimeoutMs: 50,
    tries: 10_000,
    pauseMs: 1,
    report: (line) => reported.push(line),
    ...options,
  });

async function untilReported(): Promise<void> {
  while (reported.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
}

const columnsOf = (url: string, table: string) =>
  query(url, `SELECT attname AS name FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attnum > 0`);

describe('a migration in a transaction', () => {
  it('is applied completely or not at all, and applied once it is fixed', () =>
    withEmptyDatabase(async (url) => {
      write('1_make', 'CREATE TABLE one (id int); CREATE TABLE two (id int REFERENCES nothing);');
      await expect(migrate(url)).rejects.toThrow('the migration 1_make failed: relation "nothing" does not exist');
      expect(await query(url, `SELECT to_regclass('one') AS one`)).toEqual([{ one: null }]);
      expect(await query(url, 'SELECT * FROM _prisma_migrations')).toEqual([]);
      write('1_make', 'CREATE TABLE one (id int); CREATE TABLE two (id int);');
      expect(await migrate(url)).toEqual(['1_make']);
    }));

  it('may have semicolons in comments, strings and functions', () =>
    withEmptyDatabase(async (url) => {
      write(
        '1_function',
        `-- One; two.
         CREATE TABLE one (name text DEFAULT 'a;b');
         CREATE FUNCTION two() RETURNS int AS $$ BEGIN PERFORM 1; RETURN 2; END $$ LANGUAGE plpgsql;`,
      );
      await migrate(url);
      expect(await query(url, 'SELECT two()')).toEqual([{ two: 2 }]);
    }));

  it('waits for a lock in short tries, between which other statements run', () =>
    withEmptyDatabase(async (url) => {
      await query(url, 'CREATE TABLE busy (id int); INSERT INTO busy VALUES (1)');
      write('1_column', 'ALTER TABLE busy ADD COLUMN name text');
      await withClient(url, async (reader) => {
        await reader.query('BEGIN; SELECT * FROM busy');
        const applied = migrate(url);
        await untilReported();
        // A second reader succeeds although the migration waits for an exclusive lock.
        expect(await query(url, 'SELECT id FROM busy')).toEqual([{ id: 1 }]);
        expect(await columnsOf(url, 'busy')).toEqual([{ name: 'id' }]);
        await reader.query('COMMIT');
        expect(await applied).toEqual(['1_column']);
      });
      expect(reported[0]).toMatch(/1_column: waiting for a lock \(try 1\); .*process \d+.*idle in transaction/);
      expect(await columnsOf(url, 'busy')).toEqual([{ name: 'id' }, { name: 'name' }]);
    }));

  it('fails after its last try, names the transaction in the way, and changes nothing', () =>
    withEmptyDatabase(async (url) => {
      await query(url, 'CREATE TABLE busy (id int)');
      write('1_column', 'CREATE TABLE other (id int); ALTER TABLE busy ADD COLUMN name text');
      await withClient(url, async (reader) => {
        await reader.query(`SET application_name = 'a-long-report'; BEGIN; SELECT * FROM busy`);
        await expect(migrate(url, { tries: 3 })).rejects.toThrow(/lock timeout in 3 tries; .*\(a-long-report\)/);
      });
      expect(reported).toHaveLength(2);
      expect(await query(url, `SELECT to_regclass('other') AS other`)).toEqual([{ other: null }]);
    }));
});

describe('a migration outside a transaction', () => {
  const index = `-- migrate: outside a transaction
    DROP INDEX CONCURRENTLY IF EXISTS busy_id_idx;
    -- A comment; with a semicolon.
    CREATE UNIQUE INDEX CONCURRENTLY busy_id_idx ON busy (id);`;

  it('builds an index concurrently, and three starts at once do not deadlock', () =>
    withEmptyDatabase(async (url) => {
      await query(url, 'CREATE TABLE busy (id int); INSERT INTO busy SELECT generate_series(1, 1000)');
      write('1_index', index);
      const applied = await Promise.all([1, 2, 3].map(() => migrate(url)));
      expect(applied.flat()).toEqual(['1_index']);
      expect(await query(url, `SELECT indisvalid FROM pg_index WHERE indexrelid = 'busy_id_idx'::regclass`)).toEqual([
        { indisvalid: true },
      ]);
    }));

  it('builds the index of a partitioned table on each partition, so that the table only adopts them', () =>
    withEmptyDatabase(async (url) => {
      await query(
        url,
        `CREATE TABLE busy (id int) PARTITION BY RANGE (id);
         CREATE TABLE busy_first PARTITION OF busy FOR VALUES FROM (MINVALUE) TO (10);
         CREATE TABLE busy_20261123 PARTITION OF busy DEFAULT`,
      );
      write(
        '1_partitions',
        `-- migrate: outside a transaction
         -- for each partition of busy
         DROP INDEX CONCURRENTLY IF EXISTS "{partition}_idx";
         -- for each partition of busy
         CREATE INDEX CONCURRENTLY "{partition}_idx" ON "{partition}" (id);`.replaceAll(/^ +/gm, ''),
      );
      write('2_index', '-- allowed: each partition has it\nCREATE INDEX busy_idx ON busy (id);');
      expect(await migrate(url)).toEqual(['1_partitions', '2_index']);
      expect(
        await query(
          url,
          `SELECT indexname AS name FROM pg_indexes WHERE schemaname = 'public' AND tablename LIKE 'busy%' ORDER BY 1`,
        ),
      ).toEqual(['busy_20261123_idx', 'busy_first_idx', 'busy_idx'].map((name) => ({ name })));
    }));

  it('that failed halfway is run again', () =>
    withEmptyDatabase(async (url) => {
      await query(url, 'CREATE TABLE busy (id int); INSERT INTO busy VALUES (1), (1)');
      write('1_index', index);
      await expect(migrate(url)).rejects.toThrow(/1_index failed: could not create unique index.*can be run again/);
      const isValid = `SELECT indisvalid FROM pg_index WHERE indexrelid = 'busy_id_idx'::regclass`;
      expect(await query(url, isValid)).toEqual([{ indisvalid: false }]);
      await query(url, 'TRUNCATE busy');
      expect(await migrate(url)).toEqual(['1_index']);
      expect(await query(url, isValid)).toEqual([{ indisvalid: true }]);
      expect(await migrate(url)).toEqual([]);
    }));
});
