import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';

/** A line of `files.ndjson.gz`: a file of the backup. */
export interface ListedFile {
  /** Its key in the store; it lies under this name in `files`. */
  key: string;
  size: number;
  sha256: string;
}

/** The lines of a text file, or of one that is compressed (`.gz`), without holding it in memory. */
export async function* readLines(file: string): AsyncGenerator<string> {
  const bytes = createReadStream(file);
  const input = file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes;
  // A failed read ends the lines as if that were all; the one who pipes must be told.
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
