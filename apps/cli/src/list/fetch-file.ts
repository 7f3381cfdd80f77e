import { setTimeout as sleep } from 'node:timers/promises';
import type { CaptureClient } from '@capture/sdk/client';
import { CaptureConnectionError, ForbiddenError, NotFoundError } from '@capture/sdk/errors';
import { type SavedFile, saveFile } from '../save-file.ts';

/** A body that breaks off is asked for anew; its beginning is not kept. */
const tries = 4;

/**
 * Loads a capture's file into its place.
 *
 * @returns null where it is gone: expired, or removed.
 */
export async function fetchFile(
  client: CaptureClient,
  fileUrl: string,
  file: string,
  signal: AbortSignal,
): Promise<SavedFile | null> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      const { body } = await client.files.download(fileUrl, { signal });
      return await saveFile(file, body, signal);
    } catch (error) {
      if (error instanceof NotFoundError || error instanceof ForbiddenError) return null;
      if (signal.aborted || left === 0 || !isPassing(error)) throw error;
      await sleep(1_000 * (tries - left), undefined, { signal });
    }
  }
}

/** A connection that broke, in fetch's words or in those of a stream; a full disk is none. */
function isPassing(error: unknown): boolean {
  if (error instanceof CaptureConnectionError) return true;
  const { name, message } = error as Error;
  return name === 'TypeError' && /terminated|fetch failed/.test(message);
}
