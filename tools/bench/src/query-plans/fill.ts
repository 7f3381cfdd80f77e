import type { Queryable } from '@capture/database/database';
import { openDatabase } from '@capture/database/open-database';
import { createPartition } from '@capture/database/partitions/create-partitions';
import { partitionedTables } from '@capture/database/partitions/partitioned-tables';
import * as filled from './filled-rows.ts';
import type { PatientConnection } from './patient-connection.ts';
import type { Population } from './population.ts';

/** Captures per statement. A statement takes tens of seconds. */
const capturesAtOnce = 500_000;

/** Partitioned tables with so many rows that their indexes are built afterwards. */
const growing = ['capture', 'event', 'delivery', 'delivery_attempt'];

/** A database to fill, migrated and with its accounts. */
export interface FillTarget {
  patient: PatientConnection;
  /** The database URL for statements of the services' role. */
  databaseUrl: string;
  population: Population;
  say(line: string): void;
}

/**
 * Fills a database with the rows that a platform has after three months, `rows` captures and the rest in proportion. Indexes
 * and constraints of the growing tables are dropped and recreated, so that every foreign key is checked.
 */
export async function fill({ patient, databaseUrl, population, say }: FillTarget, rows: number): Promise<void> {
  await createPastPartitions(databaseUrl);
  const now = new Date();
  const step = stepsOn(patient, say);
  const recreate = await dropIndexes(patient);
  const ofCaptures = [population.accountIds, rows, now];
  await step('batches', filled.batches, [...ofCaptures, 1, rows]);
  for (let from = 1; from <= rows; from += capturesAtOnce) {
    const to = Math.min(rows, from + capturesAtOnce - 1);
    await step(`captures to ${to}`, filled.endedCaptures(), [...ofCaptures, from, to]);
  }
  await step('events of captures', filled.captureEvents(), [now, rows]);
  await step('events of batches', filled.batchEvents(), [now, rows]);
  await step('deliveries', filled.deliveries(), [now, rows, population.huge.id]);
  await step('attempts', filled.attempts(), []);
  await fillBesides(step, { population, rows, now });
  for (const text of recreate) await step(text.replace(/^(.{60}).+$/s, '$1…'), text, []);
  await vacuum(step);
}

type Step = (what: string, text: string, values: unknown[]) => Promise<void>;

function stepsOn(connection: PatientConnection, say: FillTarget['say']): Step {
  return async (what, text, values) => {
    const startedAt = performance.now();
    const { rowCount } = await connection.run(text, values);
    say(`${what}: ${rowCount ?? 0} rows, ${seconds(startedAt)} s`);
  };
}

/** Adds open work, and the tables that do not grow. */
async function fillBesides(
  step: Step,
  { population, rows, now }: { population: Population; rows: number; now: Date },
): Promise<void> {
  const ofCaptures = [population.accountIds, rows, now];
  await step('open batches', filled.openBatches, ofCaptures);
  await step('open captures', filled.openCaptures, ofCaptures);
  await step('workers', filled.workers, []);
  await step('usage', filled.usage, []);
  await step('receivers', filled.receivers, []);
  await step('responses', filled.responses, [now]);
  await step('sessions', filled.sessions, [now]);
  await step('sign-in links', filled.signInLinks, [now]);
  await step('link renders', filled.linkRenders, [now]);
  await step('link bounds', filled.linkBounds, [now]);
}

async function vacuum(step: Step): Promise<void> {
  await step('vacuum and analyze', 'VACUUM ANALYZE', []);
  // The server's autovacuum analyzes partitions, but never a partitioned table as a whole.
  await step('statistics of whole tables', 'DELETE FROM pg_statistic WHERE stainherit', []);
}

/** The weeks of the fill, and some more. */
const weeks = 15;

const dayMs = 86_400_000;

/**
 * Replaces the first partition of each table, which would hold everything, by those of a platform that has been in use for
 * long. The partitions begin on a weekday for which the current partition is half full, because query plans must not depend on
 * the day of the run.
 */
async function createPastPartitions(databaseUrl: string): Promise<void> {
  // The services' role, which drops the partitions, must own them.
  const { pool, close } = openDatabase({ url: databaseUrl, connections: 1 });
  try {
    const newest = Math.floor(Date.now() / dayMs - 3) * dayMs;
    await dropFirstPartitions(pool);
    for (const table of partitionedTables) {
      for (let week = weeks; week >= 0; week -= 1) {
        await createPartition(pool, table, new Date(newest - week * 7 * dayMs));
      }
    }
  } finally {
    await close();
  }
}

/** Drops the partitions of a new database, which hold everything until two weeks from now. */
export async function dropFirstPartitions(database: Queryable): Promise<void> {
  for (const { name } of partitionedTables) await database.query(`DROP TABLE ${name}_first`);
}

/** @returns the statements that recreate the dropped indexes and constraints, in order. */
async function dropIndexes({ run }: PatientConnection): Promise<string[]> {
  const { rows: constraints } = await run(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, contype AS type, pg_get_constraintdef(oid) AS made
       FROM pg_constraint
      WHERE conrelid = ANY (SELECT to_regclass(name) FROM unnest($1::text[]) AS name) AND contype IN ('p', 'f')
      ORDER BY contype`,
    [growing],
  );
  const { rows: indexes } = await run(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS made FROM pg_index
      WHERE indrelid = ANY (SELECT to_regclass(name) FROM unnest($1::text[]) AS name) AND NOT indisprimary`,
    [growing],
  );
  // Foreign keys ('f') are dropped before the primary keys ('p') that they reference, and recreated after them.
  for (const { table, name } of constraints) await run(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  for (const { name } of indexes) await run(`DROP INDEX ${name}`);
  const remade = (type: string) =>
    constraints
      .filter((constraint) => constraint.type === type)
      .map(({ table, name, made }) => `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${made}`);
  return [...remade('p'), ...indexes.map(({ made }) => String(made).replace(' ON ONLY ', ' ON ')), ...remade('f')];
}

export function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(1);
}
