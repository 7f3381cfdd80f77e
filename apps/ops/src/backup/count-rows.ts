import { Transform } from 'node:stream';

const lineEnd = 0x0a;

/** Passes on the text of a `COPY` and counts its rows. Each line is a row, because line feeds in values are escaped. */
export class RowCount extends Transform {
  rows = 0;

  override _transform(bytes: Buffer, _encoding: string, done: (error: null, bytes: Buffer) => void): void {
    for (let at = bytes.indexOf(lineEnd); at >= 0; at = bytes.indexOf(lineEnd, at + 1)) this.rows += 1;
    done(null, bytes);
  }
}
