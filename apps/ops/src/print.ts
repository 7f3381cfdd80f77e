import Table from 'cli-table3';

/** How results come out: tables and sentences for people, JSON for scripts. */
export interface Printer {
  rows<Row extends object>(rows: readonly Row[], columns: readonly (keyof Row & string)[]): void;
  fact(sentence: string, data: object): void;
}

export function createPrinter(json: boolean, write: (text: string) => void): Printer {
  if (json) {
    return {
      rows: (rows) => write(`${JSON.stringify(rows, null, 2)}\n`),
      fact: (_sentence, data) => write(`${JSON.stringify(data, null, 2)}\n`),
    };
  }
  return {
    rows(rows, columns) {
      if (rows.length === 0) return write('none\n');
      const table = new Table({ head: [...columns], style: { head: [], border: [] } });
      for (const row of rows) table.push(columns.map((column) => shown(row[column])));
      write(`${table}\n`);
    },
    fact: (sentence) => write(`${sentence}\n`),
  };
}

/** Clients write some of it; nothing that they write may steer the terminal. */
function shown(value: unknown): string {
  return String(value ?? '').replace(/\p{Cc}/gu, '\u{fffd}');
}
