import * as filled from './filled-rows.ts';
import type { PatientConnection } from './patient-connection.ts';
import type { Population } from './population.ts';

/** Captures per statement, which takes tens of seconds. */
const capturesAtOnce = 500_000;

/** Partitioned tables with so many rows that their indexes are built afterwards. */
const growing = ['capture', 'event', 'delivery', 'delivery_attempt'];

/**
 * Fills a migrated database with what a platform has after three months, `rows` captures and the rest in proportion. Indexes and
 * constraints of the growing tables are dropped and recreated, so that every foreign key is checked.
 */
export async function fill(
  connection: PatientConnection,
  { accountIds, huge }: Population,
  rows: number,
  say: (line: string) => void,
): Promise<void> {
  const now = new Date();
  const step = async (what: string, text: string, values: unknown[]) => {
    const startedAt = performance.now();
    const { rowCount } = await connection.run(text, values);
    say(`${what}: ${rowCount ?? 0} rows, ${seconds(startedAt)} s`);
  };
  const recreate = await dropIndexes(connection);
  const ofCaptures = [accountIds, rows, now];
  await step('batches', filled.batches, ofCaptures);
  for (let from = 1; from <= rows; from += capturesAtOnce) {
    const to = Math.min(rows, from + capturesAtOnce - 1);
    await step(`captures to ${to}`, filled.endedCaptures, [...ofCaptures, from, to]);
  }
  await step('open batches', filled.openBatches, ofCaptures);
  await step('open captures', filled.openCaptures, ofCaptures);
  await step('workers', filled.workers, []);
  await step('usage', filled.usage, []);
  await step('events of captures', filled.captureEvents, [now, rows]);
  await step('events of batches', filled.batchEvents, [now, rows]);
  await step('deliveries', filled.deliveries, [now, rows, huge.id]);
  await step('attempts', filled.attempts, []);
  await step('receivers', filled.receivers, []);
  await step('responses', filled.responses, [now]);
  await step('sessions', filled.sessions, [now]);
  await step('sign-in links', filled.signInLinks, [now]);
  await step('link renders', filled.linkRenders, [now]);
  await step('link bounds', filled.linkBounds, [now]);
  for (const text of recreate) await step(text.replace(/^(.{60}).+$/s, '$1…'), text, []);
  await step('vacuum and analyze', 'VACUUM ANALYZE', []);
  // The server's own autovacuum analyzes partitions, never a partitioned table as a whole.
  await connection.run('DELETE FROM pg_statistic WHERE stainherit');
}

/** @returns the statements that recreate what was dropped, in order. */
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
