import { parse } from 'csv-parse/sync';
import type { ListedUrl } from '../list/item.ts';
import type { OptionValues } from '../options/option-flags.ts';
import { readValue } from '../options/read-value.ts';
import { UsageError } from '../usage-error.ts';
import { type Field, findField, listedUrl } from './listed-fields.ts';

/**
 * Reads a CSV file with a column `url`. Other columns are `type`, `file` (the file name) and API options. Empty cells are
 * ignored.
 *
 * @param wanted the columns to read; by default all.
 * @throws {UsageError} for an unknown column or an invalid cell.
 */
export function readCsv(text: string, wanted?: readonly string[]): ListedUrl[] {
  const [header = [], ...rows] = parseRows(text);
  const columns = readHeader(header, wanted);
  return rows.map((cells, index) => {
    // The number is that of the line in the file, unless an earlier cell contains a line feed.
    const where = `row ${index + 2}`;
    const plain: { url?: string; type?: string; file?: string } = {};
    const options: OptionValues = {};
    for (const [position, field] of columns) {
      const cell = cells[position]?.trim() ?? '';
      if (cell === '') continue;
      if (typeof field === 'string') plain[field] = cell;
      else options[field.name] = readValue(field, [cell], `${where}, column ${field.name}`);
    }
    return listedUrl(plain, options, where);
  });
}

function parseRows(text: string): string[][] {
  try {
    // In many locales, spreadsheets write semicolons, and all spreadsheets can write tabs.
    return parse(text, { delimiter: detectDelimiter(text), skip_empty_lines: true, relax_column_count: true });
  } catch (error) {
    throw new UsageError(`the CSV cannot be read: ${(error as Error).message}`);
  }
}

function detectDelimiter(text: string): string {
  const [header = ''] = text.split('\n', 1);
  const count = (delimiter: string) => header.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best));
}

function readHeader(header: readonly string[], wanted: readonly string[] | undefined): Map<number, Field> {
  const names = header.map((name) => name.trim());
  if (!names.some((name) => findField(name) === 'url')) {
    throw new UsageError(`the CSV needs a column named url; its first line has ${names.slice(0, 10).join(', ')}`);
  }
  const columns = new Map<number, Field>();
  for (const [position, name] of header.entries()) {
    if (wanted && !wanted.includes(name.trim())) continue;
    const field = findField(name);
    if (field === undefined) {
      throw new UsageError(
        `the column ${JSON.stringify(name)} is not a capture option: choose the columns to read, such as --columns url,file`,
      );
    }
    columns.set(position, field);
  }
  if (![...columns.values()].includes('url')) throw new UsageError('--columns must include url');
  return columns;
}
