import { setTimeout as sleep } from 'node:timers/promises';
import type { CaptureClient } from '@capture-platform/sdk/client';
import { CaptureConnectionError, ForbiddenError, NotFoundError } from '@capture-platform/sdk/errors';
import { type SavedFile, saveFile } from '../save-file.ts';

/** A broken download starts again from the beginning. */
const attempts = 4;

/**
 * Downloads the file of a capture.
 *
 * @returns null if the file no longer exists: expired, or removed.
 */
export async function fetchFile(
  client: CaptureClient,
  fileUrl: string,
  file: string,
  signal: AbortSignal,
): Promise<SavedFile | null> {
  for (let remaining = attempts - 1; ; remaining -= 1) {
    try {
      const { body } = await client.files.download(fileUrl, { signal });
      return await saveFile(file, body, signal);
    } catch (error) {
      if (error instanceof NotFoundError || error instanceof ForbiddenError) return null;
      if (signal.aborted || remaining === 0 || !isTemporary(error)) throw error;
      await sleep(1_000 * (attempts - remaining), undefined, { signal });
    }
  }
}

/** Whether the connection broke, as fetch or a stream reports it. A full disk is not temporary. */
function isTemporary(error: unknown): boolean {
  if (error instanceof CaptureConnectionError) return true;
  const { name, message } = error as Error;
  return name === 'TypeError' && /terminated|fetch failed/.test(message);
}
