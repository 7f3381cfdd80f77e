import type { LinkFile } from '@capture/database/links/link-renders';
import type { Storage } from '@capture/storage/storage';
import type { Request, Response } from 'express';
import { setFileHeaders } from '../captures/file-headers.ts';
import { sendStream } from '../http/send-stream.ts';

/** How long caches may show an old image while they ask for the new one, seconds. */
const staleForS = 86_400;

/** Sets the headers that let browsers and CDNs share a stored response between users. */
export function setCaching(res: Response, maxAgeS: number, remainingS: number): void {
  const maxAge = Math.max(0, Math.floor(Math.min(maxAgeS, remainingS)));
  const stale = Math.max(0, Math.floor(Math.min(staleForS, remainingS - maxAge)));
  res.setHeader('Cache-Control', `public, max-age=${maxAge}, stale-while-revalidate=${stale}`);
}

/**
 * Sends the file of a link, or the requested part of it, or reports that the client's copy is current.
 *
 * @returns false if the store has no such file.
 */
export async function sendLinkFile(storage: Storage, req: Request, res: Response, file: LinkFile): Promise<boolean> {
  const tag = `"${file.id}"`;
  res.setHeader('ETag', tag);
  res.setHeader('Last-Modified', file.completedAt.toUTCString());
  res.setHeader('Accept-Ranges', 'bytes');
  // A page of another origin may draw the image on a canvas.
  res.setHeader('Access-Control-Allow-Origin', '*');
  if (req.fresh) {
    res.status(304).end();
    return true;
  }
  const ranges = [undefined, tag].includes(req.get('If-Range')) ? req.range(file.fileSize) : undefined;
  if (ranges === -1) {
    res.setHeader('Content-Range', `bytes */${file.fileSize}`);
    res.status(416).end();
    return true;
  }
  // Only readers of PDFs ask for several ranges at once, and they accept the whole file.
  const part = Array.isArray(ranges) && ranges.length === 1 && ranges.type === 'bytes' ? ranges[0] : undefined;
  const stored = await storage.open(file.storageKey, part);
  if (!stored) return false;
  setFileHeaders(res, file, stored.size);
  if (part) {
    res.status(206);
    res.setHeader('Content-Range', `bytes ${part.start}-${part.end}/${file.fileSize}`);
  }
  if (req.method === 'HEAD') {
    stored.stream.destroy();
    res.end();
  } else await sendStream(stored.stream, res);
  return true;
}
