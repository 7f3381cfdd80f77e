import { text } from 'node:stream/consumers';
import type { ClaimedCapture } from '@capture/database/captures/claim-capture';
import { withHtml } from '@capture/database/captures/stored-options';
import type { Logger } from '@capture/runtime/service/log';
import { htmlKey } from '@capture/storage/file-key';
import { removeFiles } from '@capture/storage/many-files';
import type { Storage } from '@capture/storage/storage';
import { CaptureFailure } from '../capture-failure.ts';
import { pause } from '../deadline.ts';
import { storageRetriesMs } from './store-file.ts';

/**
 * Returns the options of a claimed capture, with the page that its client submitted as `html`, which is a file.
 *
 * @throws {CaptureFailure} if the file is missing or cannot be read, because a page without its content would be a wrong
 * result.
 */
export async function readHtml(storage: Pick<Storage, 'open'>, key: string, options: ClaimedCapture['options']) {
  for (let tries = 0; ; tries += 1) {
    try {
      const file = await storage.open(key);
      if (file) return withHtml(options, await text(file.stream));
      break;
    } catch (cause) {
      const waitMs = storageRetriesMs[tries];
      if (waitMs === undefined) throw unreadable('could not be read', cause);
      await pause(waitMs);
    }
  }
  throw unreadable('is missing');
}

function unreadable(why: string, cause?: unknown): CaptureFailure {
  return new CaptureFailure('RENDERING_FAILED', `The submitted html ${why} in the storage.`, { cause });
}

/** Removes the submitted page of a capture that has ended. The cleanup of files without a row removes a page that remains. */
export async function removeHtml(
  { storage, log }: { storage: Pick<Storage, 'remove'>; log: Pick<Logger, 'warn'> },
  capture: Pick<ClaimedCapture, 'id' | 'options'>,
): Promise<void> {
  if (capture.options.html === undefined) return;
  const { error } = await removeFiles(storage, [htmlKey(capture.id)]);
  if (error) log.warn({ err: error, request_id: capture.id }, 'the html of an ended capture could not be removed yet');
}
