import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/**
 * Sends a stream as the body of a response. A client that disconnects ends it, and so does the server for one that reads too
 * slowly: each open stream holds a connection to the store.
 *
 * @throws the error of the source.
 */
export async function sendStream(source: NodeJS.ReadableStream, res: Response): Promise<void> {
  let fault: unknown;
  source.once('error', (error) => {
    // A source that is closed because the client has gone reports that too.
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
