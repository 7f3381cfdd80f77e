import { ApiError } from '@capture/contract/errors';
import { findOwnCapture } from '@capture/database/captures/find-capture';
import type { Database } from '@capture/database/database';
import { databaseNow } from '@capture/database/database-clock';
import type { Storage } from '@capture/storage/storage';
import { thumbnailsOf } from '../../captures/thumbnails.ts';
import type { KeyExchange } from '../../http/exchange.ts';
import { pathParameter } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';
import { sendStream } from '../../http/send-stream.ts';

/** How long caches keep a thumbnail, seconds: it never changes, but a deleted thumbnail should not be shown for long. */
const cachedForS = 3_600;

export function thumbnailRoute({ database, storage }: { database: Database; storage: Storage }): Route {
  const openThumbnail = thumbnailsOf(storage);
  return {
    method: 'GET',
    path: '/api/v1/captures/:id/thumbnail',
    auth: 'key',
    cost: 'none',
    id: 'getThumbnail',
    tag: 'Captures',
    summary: 'Get a capture’s thumbnail',
    description:
      'A WebP of at most 480 × 300 pixels that shows the top of the capture in its whole width. It exists as long as the capture’s file. PDFs and content have none.',
    responses: { 200: { description: 'The thumbnail.', media: ['image/webp'] } },
    async handle(exchange: KeyExchange) {
      const { req, res, caller } = exchange;
      const capture = await findOwnCapture(database.pool, caller.accountId, pathParameter(req, 'id'));
      if (!capture) throw new ApiError('NOT_FOUND', 'This account has no capture with this ID (req_…).');
      const { expiresAt } = capture;
      const leftS = expiresAt ? Math.floor((expiresAt.getTime() - databaseNow().getTime()) / 1_000) : cachedForS;
      const file = capture.storageKey && leftS > 0 ? await openThumbnail(capture.storageKey) : null;
      if (!file) throw new ApiError('NOT_FOUND', 'This capture has no thumbnail.');
      res.setHeader('Content-Type', 'image/webp');
      res.setHeader('Content-Length', file.size);
      res.setHeader('Cache-Control', `private, max-age=${Math.min(cachedForS, leftS)}, immutable`);
      exchange.onlyWaits();
      await sendStream(file.stream, res);
    },
  };
}
