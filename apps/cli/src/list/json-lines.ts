import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';

/**
 * A file to which records are added, one JSON text a line. A run that was killed may have left half a line at its end,
 * which is passed over when it is read and closed off when the next one is added.
 */
export class JsonLines<Row> {
  readonly #file: number;

  private constructor(file: number) {
    this.#file = file;
  }

  /** Opens a file, making it if there is none. @returns the log, and what is in it already. */
  static open<Row>(path: string, mode = 0o666): { log: JsonLines<Row>; rows: Row[] } {
    const file = openSync(path, 'a+', mode);
    const text = readFileSync(path, 'utf8');
    const log = new JsonLines<Row>(file);
    if (text !== '' && !text.endsWith('\n')) writeSync(file, '\n');
    return { log, rows: text.split('\n').flatMap((line) => parsed<Row>(line)) };
  }

  /** @param durable whether it is to outlive a loss of power too, before this returns. */
  add(row: Row, { durable = false } = {}): void {
    writeSync(this.#file, `${JSON.stringify(row)}\n`);
    if (durable) fsyncSync(this.#file);
  }

  close(): void {
    closeSync(this.#file);
  }
}

function parsed<Row>(line: string): Row[] {
  try {
    const row = JSON.parse(line);
    return typeof row === 'object' && row !== null ? [row] : [];
  } catch {
    return [];
  }
}
