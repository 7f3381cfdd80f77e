import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/** What a client must read at least, unless less is left: 1 MB a minute is 0.1 Mbit/s. */
const slowest = { bytes: 1_000_000, everyMs: 60_000 };

/**
 * Sends a stream as the body of a response. A client that disconnects, or reads too slowly, ends it: each open stream holds
 * a connection to the store. A slow store is waited for.
 *
 * @throws the error of the source.
 */
export async function sendStream(
  source: NodeJS.ReadableStream,
  res: Response,
  { bytes, everyMs } = slowest,
): Promise<void> {
  const tooSlow = new AbortController();
  const sent = () => res.socket?.bytesWritten ?? 0;
  let before = sent();
  const check = setInterval(() => {
    const now = sent();
    // Bytes that wait for the client, and not a client that waits for bytes.
    if (res.socket && res.writableLength > 0 && now - before < bytes) tooSlow.abort();
    before = now;
  }, everyMs);
  let fault: unknown;
  source.once('error', (error) => {
    // A source that is closed because the client has gone reports that too.
    if (!res.destroyed) fault = error;
  });
  try {
    await pipeline(source, res, { signal: tooSlow.signal });
  } catch (error) {
    if (fault) throw fault;
    if (!tooSlow.signal.aborted && !isDisconnect(error as NodeJS.ErrnoException)) throw error;
  } finally {
    clearInterval(check);
  }
}

const isDisconnect = ({ code }: NodeJS.ErrnoException) =>
  code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE';
