import { pipeline } from 'node:stream/promises';
import { ApiError } from '@capture/contract/errors';
import { findCapture } from '@capture/database/find-capture';
import { verifyFileLink } from '@capture/storage/file-link';
import { ignoreHangUp } from '../answer-capture.ts';
import type { Dependencies } from '../dependencies.ts';
import { setFileHeaders } from '../file-headers.ts';
import { pathParameter, queryOf } from '../parameters.ts';
import type { Route } from '../route.ts';

/** A capture's file by its signed link, which needs no key and stops by itself. */
export function fileRoute({ database, storage, links }: Pick<Dependencies, 'database' | 'storage' | 'links'>): Route {
  return {
    method: 'GET',
    path: '/files/:name',
    auth: 'none',
    cost: 'none',
    async handle({ req, res, facts }) {
      const query = queryOf(req);
      const now = new Date();
      const verdict = verifyFileLink({
        name: pathParameter(req, 'name'),
        expires: query.get('expires'),
        signature: query.get('signature'),
        secret: links.secretKey,
        previousSecret: links.previousSecretKey,
        now,
      });
      if (!verdict.valid) {
        throw new ApiError(
          'FORBIDDEN',
          verdict.reason === 'expired' ? 'This link has expired.' : 'This link is not valid.',
        );
      }
      const capture = await findCapture(database.pool, verdict.captureId);
      const file = capture?.storageKey ? await storage.open(capture.storageKey) : null;
      if (!capture || !file) throw new ApiError('NOT_FOUND', 'This file is gone.');
      facts.account_id = capture.accountId;
      setFileHeaders(res, capture, file.size);
      const secondsLeft = Math.floor((verdict.expiresAt.getTime() - now.getTime()) / 1_000);
      res.setHeader('Cache-Control', `private, max-age=${secondsLeft}, immutable`);
      await pipeline(file.stream, res).catch(ignoreHangUp);
    },
  };
}
