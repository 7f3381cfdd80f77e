import type { ClaimedCapture } from '@capture/database/captures/claim-capture';
import type { Logger } from '@capture/runtime/service/log';
import { fileKey, thumbnailKey } from '@capture/storage/file-key';
import type { Storage } from '@capture/storage/storage';
import type { RenderedFile } from '../render/renderer.ts';
import { drawThumbnail } from '../render/thumbnail.ts';

interface ThumbnailDependencies {
  storage: Pick<Storage, 'put'>;
  log: Pick<Logger, 'warn'>;
}

/**
 * Stores the thumbnail of a recorded capture beside its file. If the file was deleted meanwhile, the cleanup job for files
 * without a row removes the thumbnail. Never throws: a capture is complete without one.
 */
export async function storeThumbnail(
  { storage, log }: ThumbnailDependencies,
  capture: ClaimedCapture,
  { format, bytes }: RenderedFile,
): Promise<void> {
  const key = thumbnailKey(fileKey(capture, format));
  if (key === null) return;
  try {
    await storage.put(key, await drawThumbnail(bytes));
  } catch (error) {
    log.warn({ err: error, request_id: capture.id }, 'a thumbnail could not be stored');
  }
}
