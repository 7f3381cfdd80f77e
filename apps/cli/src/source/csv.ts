import { parse } from 'csv-parse/sync';
import type { ListedUrl } from '../list/item.ts';
import type { GivenOptions } from '../options/option-flags.ts';
import { readValue } from '../options/read-value.ts';
import { UsageError } from '../usage-error.ts';
import { type Field, fieldOf, listedUrl } from './listed-fields.ts';

/**
 * A CSV file with a column `url`; other columns are `type`, `file` (what the file is to be called) and options of the API.
 * An empty cell says nothing.
 *
 * @param wanted the columns that are read; unless given all of them.
 * @throws {UsageError} for a column that stands for nothing, or a cell that is no value.
 */
export function readCsv(text: string, wanted?: readonly string[]): ListedUrl[] {
  const [header = [], ...rows] = parseRows(text);
  const columns = fieldsOf(header, wanted);
  return rows.map((cells, index) => {
    // The line of the file, if no cell before it has a line feed in it.
    const where = `row ${index + 2}`;
    const plain: { url?: string; type?: string; file?: string } = {};
    const own: GivenOptions = {};
    for (const [position, field] of columns) {
      const cell = cells[position]?.trim() ?? '';
      if (cell === '') continue;
      if (typeof field === 'string') plain[field] = cell;
      else own[field.name] = readValue(field, [cell], `${where}, column ${field.name}`);
    }
    return listedUrl(plain, own, where);
  });
}

function parseRows(text: string): string[][] {
  try {
    // Spreadsheets of many countries write semicolons, and all of them write tabs when asked to.
    return parse(text, { delimiter: delimiterOf(text), skip_empty_lines: true, relax_column_count: true });
  } catch (error) {
    throw new UsageError(`the CSV cannot be read: ${(error as Error).message}`);
  }
}

function delimiterOf(text: string): string {
  const [header = ''] = text.split('\n', 1);
  const count = (delimiter: string) => header.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best));
}

function fieldsOf(header: readonly string[], wanted: readonly string[] | undefined): Map<number, Field> {
  const columns = new Map<number, Field>();
  for (const [position, name] of header.entries()) {
    if (wanted && !wanted.includes(name.trim())) continue;
    const field = fieldOf(name);
    if (field === undefined) {
      throw new UsageError(
        `the column ${JSON.stringify(name)} is no option of a capture: name the columns to read, as in --columns url,file`,
      );
    }
    columns.set(position, field);
  }
  if (![...columns.values()].includes('url'))
    throw new UsageError('the CSV needs a first line with a column named url');
  return columns;
}
