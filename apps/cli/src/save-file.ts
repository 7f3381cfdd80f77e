import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';

export interface SavedFile {
  bytes: number;
  /** Of the content, in hex. */
  sha256: string;
}

/**
 * Writes what comes to a file beside its place, `<file>.part`, and gives it its name once it is whole; one that was there
 * is replaced. What a killed run left is written over.
 */
export async function saveFile(
  file: string,
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): Promise<SavedFile> {
  const part = `${file}.part`;
  const hash = createHash('sha256');
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  try {
    await pipeline(Readable.fromWeb(body as NodeReadableStream), counted, createWriteStream(part), { signal });
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return { bytes, sha256: hash.digest('hex') };
}
