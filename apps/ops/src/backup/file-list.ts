import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';

/** A line of `files.ndjson.gz`: one file of the backup. */
export interface ListedFile {
  /** The file's key in the store, and its path in `files`. */
  key: string;
  size: number;
  sha256: string;
}

/** Reads the lines of a text file, compressed if its name ends with `.gz`, without holding the file in memory. */
export async function* readLines(file: string): AsyncGenerator<string> {
  const bytes = createReadStream(file);
  const input = file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes;
  // A failed read ends the lines like the end of the file, so the failure must be thrown.
  let failure: Error | undefined;
  const fail = (error: Error) => {
    failure = error;
    input.destroy();
  };
  bytes.once('error', fail);
  if (input !== bytes) input.once('error', fail);
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) yield line;
  if (failure) throw failure;
}
