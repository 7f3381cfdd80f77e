import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';

/** A file of JSON lines. A killed run may leave a partial last line, which reading skips and appending terminates. */
export class JsonLines<Row> {
  readonly #file: number;

  private constructor(file: number) {
    this.#file = file;
  }

  /** Opens or creates a file. @returns the log and its existing records. */
  static open<Row>(path: string, mode = 0o666): { log: JsonLines<Row>; rows: Row[] } {
    const file = openSync(path, 'a+', mode);
    const text = readFileSync(path, 'utf8');
    const log = new JsonLines<Row>(file);
    if (text !== '' && !text.endsWith('\n')) writeSync(file, '\n');
    return { log, rows: text.split('\n').flatMap((line) => parseLine<Row>(line)) };
  }

  /** @param durable whether to flush the record to disk before returning, to survive a power failure. */
  add(row: Row, { durable = false } = {}): void {
    writeSync(this.#file, `${JSON.stringify(row)}\n`);
    if (durable) fsyncSync(this.#file);
  }

  close(): void {
    closeSync(this.#file);
  }
}

function parseLine<Row>(line: string): Row[] {
  try {
    const row = JSON.parse(line);
    return typeof row === 'object' && row !== null ? [row] : [];
  } catch {
    return [];
  }
}
