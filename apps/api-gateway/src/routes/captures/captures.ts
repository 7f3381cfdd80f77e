import { captureFilter } from '@capture/contract/api/capture-record';
import { ApiError } from '@capture/contract/errors';
import { cancelCapture } from '@capture/database/captures/cancel-capture';
import { findOwnCapture, listCaptures } from '@capture/database/captures/find-capture';
import { releaseFile } from '@capture/database/captures/release-files';
import { captureRecord } from '../../captures/capture-record.ts';
import type { Dependencies } from '../../dependencies.ts';
import { pageOf, parseQuery, pathParameter } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';

const noSuchCapture = () => new ApiError('NOT_FOUND', 'This account has no such capture.');

export function captureRoute({ database, fileUrlOf }: Pick<Dependencies, 'database' | 'fileUrlOf'>): Route {
  return {
    method: 'GET',
    path: '/api/v1/captures/:id',
    auth: 'key',
    cost: 'none',
    async handle({ req, res, caller }) {
      const capture = await findOwnCapture(database.pool, caller.accountId, pathParameter(req, 'id'));
      if (!capture) throw noSuchCapture();
      res.json(captureRecord(capture, fileUrlOf));
    },
  };
}

export function listCapturesRoute({ database, fileUrlOf }: Pick<Dependencies, 'database' | 'fileUrlOf'>): Route {
  return {
    method: 'GET',
    path: '/api/v1/captures',
    auth: 'key',
    cost: 'none',
    async handle({ req, res, caller }) {
      const { limit, cursor, status, type, batch_id } = parseQuery(req, captureFilter, 'this list');
      const found = await listCaptures(database.pool, {
        accountId: caller.accountId,
        status: status ?? null,
        type: type ?? null,
        batchId: batch_id ?? null,
        after: cursor ?? null,
        limit: limit + 1,
      });
      res.json(pageOf('captures', found, limit, (capture) => captureRecord(capture, fileUrlOf)));
    },
  };
}

/** Removes a capture's file; one that has not ended is cancelled. The record stays. */
export function deleteCaptureRoute(
  dependencies: Pick<Dependencies, 'database' | 'storage' | 'form' | 'fileUrlOf' | 'log'>,
): Route {
  const { database, storage, log } = dependencies;
  return {
    method: 'DELETE',
    path: '/api/v1/captures/:id',
    auth: 'key',
    cost: 'none',
    async handle({ req, res, caller }) {
      const id = pathParameter(req, 'id');
      const capture = await findOwnCapture(database.pool, caller.accountId, id);
      if (!capture) throw noSuchCapture();
      await cancelCapture(database.pool, dependencies, id, new Date(), { processing: true });
      for (const key of await releaseFile(database.pool, caller.accountId, id)) {
        await storage.remove(key).catch((error) => {
          log.warn(
            { err: error, request_id: id },
            'a file could not be removed; the sweep for files without a row does it',
          );
        });
      }
      res.status(204).end();
    },
  };
}
