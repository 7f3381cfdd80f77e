import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/**
 * Sends a stream as the body of a response. The stream ends when its client disconnects, or when the server disconnects a
 * client that reads too slowly: each open stream holds a connection to the store.
 *
 * @throws the error of the source.
 */
export async function sendStream(source: NodeJS.ReadableStream, res: Response): Promise<void> {
  let fault: unknown;
  source.once('error', (error) => {
    // When the client disconnects, the source is closed and reports an error for that too.
    if (!res.destroyed) fault = error;
  });
  try {
    await pipeline(source, res);
  } catch (error) {
    if (fault) throw fault;
    if (!isDisconnect(error as NodeJS.ErrnoException)) throw error;
  }
}

const isDisconnect = ({ code }: NodeJS.ErrnoException) =>
  code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE';
