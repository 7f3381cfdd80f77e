import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';

export interface SavedFile {
  bytes: number;
  /** Checksum of the content, in hex. */
  sha256: string;
}

/** Writes a stream to `<file>.part`, also over that of a killed run, and renames it once complete, replacing the file. */
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
    // The file is opened here, because a stream that fails at once would still be about to create the file when it is removed.
    const opened = await open(part, 'w');
    await pipeline(Readable.fromWeb(body as NodeReadableStream), counted, opened.createWriteStream(), { signal });
    await rename(part, file);
  } catch (error) {
    // Cancelling has no effect once the stream is read.
    await body.cancel().catch(() => undefined);
    await rm(part, { force: true });
    throw error;
  }
  return { bytes, sha256: hash.digest('hex') };
}
