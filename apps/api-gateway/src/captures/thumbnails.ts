import { buffer } from 'node:stream/consumers';
import { thumbnailKey } from '@capture/storage/file-key';
import type { Storage, StoredFile } from '@capture/storage/storage';
import pLimit from 'p-limit';
import { drawThumbnail } from './draw-thumbnail.ts';

/** Number of thumbnails drawn at once. Each keeps a core busy for 20 ms, and holds its file in memory: 96 MB at most. */
const drawnAtOnce = 2;

/** Opens the thumbnail of a capture's file; null if the file has none. */
export type OpenThumbnail = (fileKey: string) => Promise<StoredFile | null>;

/**
 * Draws a thumbnail when a client first requests it, and stores it with its file. Most captures are never looked at, and
 * drawing a thumbnail for every capture took an eighth of the processor time of the captures.
 */
export function thumbnailsOf(storage: Storage): OpenThumbnail {
  const limit = pLimit(drawnAtOnce);
  const drawing = new Map<string, Promise<boolean>>();

  /** @returns whether the capture still has a file to draw. */
  async function draw(fileKey: string, key: string): Promise<boolean> {
    const file = await storage.open(fileKey);
    if (!file) return false;
    await storage.put(key, await drawThumbnail(await buffer(file.stream)));
    // If the file was deleted in between, no file may stay that no record names.
    const kept = await storage.open(fileKey);
    kept?.stream.destroy();
    if (!kept) await storage.remove(key);
    return kept !== null;
  }

  return async (fileKey) => {
    const key = thumbnailKey(fileKey);
    if (key === null) return null;
    const stored = await storage.open(key);
    if (stored) return stored;
    let drawn = drawing.get(key);
    if (!drawn) {
      drawn = limit(() => draw(fileKey, key)).finally(() => drawing.delete(key));
      drawing.set(key, drawn);
    }
    return (await drawn) ? storage.open(key) : null;
  };
}
