import { pipeline } from 'node:stream/promises';
import { ApiError } from '@capture/contract/errors';
import { allCaptureKinds } from '@capture/contract/options/capture-options';
import { findCapture } from '@capture/database/captures/find-capture';
import type { Database } from '@capture/database/database';
import { verifyFileLink } from '@capture/storage/file-link';
import type { Storage } from '@capture/storage/storage';
import { callingPage } from '../../auth/calling-page.ts';
import { sessionCookieOf } from '../../auth/session-cookie.ts';
import { contentTypesOf, describeFile, setFileHeaders } from '../../captures/file-headers.ts';
import { ignoreHangUp } from '../../captures/respond-capture.ts';
import { pathParameter, queryOf } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';

/**
 * How long a link of the store's own lasts, seconds: it is followed at once, and a file that is deleted is gone for
 * everybody after this.
 */
const storeLinkS = 60;

interface FileDependencies {
  database: Database;
  storage: Storage;
  links: { publicUrl: string; secretKey: string; previousSecretKey?: string | undefined };
}

/**
 * A capture's file by its signed link, which needs no key and stops by itself: its bytes, or the way to them where the
 * store gives them itself. The link of ours stays what clients keep: it may last longer than any of a store's (S3 allows
 * seven days), and ends when the record does.
 */
export function fileRoute({ database, storage, links }: FileDependencies): Route {
  return {
    method: 'GET',
    path: '/files/:name',
    auth: 'none',
    cost: 'none',
    docs: {
      id: 'getFile',
      tag: 'Captures',
      summary: 'Read a capture’s file by its signed link',
      description: 'The link stands in `file_url`. It needs no key and stops at `expires_at`.',
      responses: {
        200: { description: 'The file.', media: contentTypesOf(allCaptureKinds.flatMap((kind) => kind.formats)) },
        302: {
          description: 'Where files are in a bucket that gives them itself: `Location` leads there, for a minute.',
          headers: ['Location'],
        },
      },
      errors: ['FORBIDDEN', 'NOT_FOUND'],
    },
    async handle({ req, res, facts }) {
      const query = queryOf(req);
      const now = new Date();
      const decision = verifyFileLink({
        name: pathParameter(req, 'name'),
        expires: query.get('expires'),
        signature: query.get('signature'),
        secret: links.secretKey,
        previousSecret: links.previousSecretKey,
        now,
      });
      if (!decision.valid) {
        throw new ApiError(
          'FORBIDDEN',
          decision.reason === 'expired' ? 'This link has expired.' : 'This link is not valid.',
        );
      }
      const secondsLeft = Math.floor((decision.expiresAt.getTime() - now.getTime()) / 1_000);
      const cacheControl = `private, max-age=${secondsLeft}, immutable`;
      const capture = await findCapture(database.pool, decision.captureId);
      // A page of ours may load pictures from its own address only.
      const forOurPage = callingPage(req, links.publicUrl) === 'own' || sessionCookieOf(req, links.publicUrl) !== null;
      if (capture?.storageKey && storage.link && !forOurPage) {
        facts.account_id = capture.accountId;
        const expiresInS = Math.min(storeLinkS, Math.max(1, secondsLeft));
        res.setHeader('Cache-Control', 'private, no-store');
        res.redirect(await storage.link(capture.storageKey, { ...describeFile(capture), cacheControl, expiresInS }));
        return;
      }
      const file = capture?.storageKey ? await storage.open(capture.storageKey) : null;
      if (!capture || !file) throw new ApiError('NOT_FOUND', 'This file is gone.');
      facts.account_id = capture.accountId;
      setFileHeaders(res, capture, file.size);
      res.setHeader('Cache-Control', cacheControl);
      await pipeline(file.stream, res).catch(ignoreHangUp);
    },
  };
}
