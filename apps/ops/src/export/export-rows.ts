import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { firstIdAt } from '@capture/database/ids';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { RowCount } from '../backup/count-rows.ts';
import type { ExportedTable } from './exported-tables.ts';

/** A range of creation times: `since` is inclusive, `until` exclusive. */
export interface TimeRange {
  since: Date;
  until: Date;
}

/**
 * Writes the records of a range as JSON, one per line, the oldest first. The records are streamed, so the memory does not depend
 * on their number.
 *
 * @param end whether to end `out`.
 * @returns the number of records.
 */
export async function exportRows(
  client: pg.Client,
  table: ExportedTable,
  { since, until }: TimeRange,
  out: Writable,
  end = true,
): Promise<number> {
  const fields = Object.entries({ record: pg.escapeLiteral(table.name), ...table.values }).map(
    ([name, value]) => `${value} AS ${pg.escapeIdentifier(name)}`,
  );
  const idAt = (at: Date) => pg.escapeLiteral(firstIdAt(table.prefix, at));
  const order = [table.key, table.tieBreaker].filter((part) => part !== undefined);
  const query = `SELECT row_to_json(line) FROM (
    SELECT ${fields.join(', ')} FROM ${table.from}
     WHERE ${table.key} >= ${idAt(since)} AND ${table.key} < ${idAt(until)} ORDER BY ${order.join(', ')}) AS line`;
  // JSON escapes these quote and delimiter characters, so a row of CSV is the unchanged text of its one value.
  const copied = client.query(copyTo(`COPY (${query}) TO STDOUT (FORMAT csv, QUOTE e'\\x01', DELIMITER e'\\x02')`));
  const count = new RowCount();
  await pipeline(copied, count, out, { end });
  return count.rows;
}

/** Reads when the oldest record of a table was created; null if there is none. */
export async function findOldest(client: pg.Client, { key, from }: ExportedTable): Promise<string | null> {
  const { rows } = await client.query(`SELECT ${key} AS id FROM ${from} ORDER BY ${key} LIMIT 1`);
  return rows[0]?.id ?? null;
}
