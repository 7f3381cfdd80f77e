import { styleText } from 'node:util';
import Table from 'cli-table3';

/** Prints results: tables and sentences for people, JSON for scripts. */
export interface Printer {
  readonly json: boolean;
  rows<Row extends object>(rows: readonly Row[], columns: readonly (keyof Row & string)[]): void;
  /** Prints one result: `sentence` for people, `data` for scripts. */
  fact(sentence: string, data: object): void;
  paint(colour: 'green' | 'yellow' | 'red' | 'dim' | 'bold', text: string): string;
}

export interface PrinterOptions {
  json: boolean;
  /** Whether colours are on: the output is a terminal and NO_COLOR is not set. */
  colours: boolean;
  write(text: string): void;
}

export function createPrinter({ json, colours, write }: PrinterOptions): Printer {
  const paint: Printer['paint'] = (colour, text) =>
    colours ? styleText(colour, text, { validateStream: false }) : text;
  if (json) {
    return {
      json,
      rows: (rows) => write(`${JSON.stringify(rows, null, 2)}\n`),
      fact: (_sentence, data) => write(`${JSON.stringify(data, null, 2)}\n`),
      paint: (_colour, text) => text,
    };
  }
  return {
    json,
    rows(rows, columns) {
      if (rows.length === 0) return write('none\n');
      const head = columns.map((column) => paint('bold', column));
      const table = new Table({ head, style: { head: [], border: [] }, chars: withoutLines });
      for (const row of rows) table.push(columns.map((column) => shown(row[column])));
      write(`${table}\n`);
    },
    fact: (sentence) => write(`${sentence}\n`),
    paint,
  };
}

/** Removes the lines between rows. */
const withoutLines = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' };

/** Formats a value as text without control characters. Clients write some of the values, and none may control the terminal. */
export function shown(value: unknown): string {
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
  return text.replace(/\p{Cc}/gu, '\u{fffd}');
}
