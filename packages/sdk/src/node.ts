import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';

/**
 * Streams a response to a file. The file appears under its name when it is complete, and replaces an existing one.
 *
 * @param source a capture, an archive or a download, or its `body`.
 */
export async function saveTo(
  file: string,
  source: { body: ReadableStream<Uint8Array> } | ReadableStream<Uint8Array>,
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  const body = 'body' in source ? source.body : source;
  if (body.locked) throw new TypeError('The response was read already, or is being read.');
  const part = `${file}.${randomUUID()}.part`;
  try {
    // The file is opened here, because a stream that fails at once would still be about to create the file when it is removed.
    const opened = await open(part, 'wx');
    await pipeline(Readable.fromWeb(body as NodeReadableStream), opened.createWriteStream(), { signal });
    await rename(part, file);
  } catch (error) {
    // Cancelling has no effect once the stream is read.
    await body.cancel().catch(() => undefined);
    await rm(part, { force: true });
    throw error;
  }
}
