import { captureFilter } from '@capture/contract/api/paging';
import * as schemas from '@capture/contract/api/responses';
import { ApiError } from '@capture/contract/errors';
import type { ContractForm } from '@capture/contract/forms/forms';
import { cancelCapture } from '@capture/database/captures/cancel-capture';
import { findOwnCapture, listCaptures } from '@capture/database/captures/find-capture';
import { releaseFile } from '@capture/database/captures/release-files';
import type { FileUrlOf } from '@capture/database/captures/stored-outputs';
import type { Database } from '@capture/database/database';
import type { Logger } from '@capture/runtime/service/log';
import { htmlKey } from '@capture/storage/file-key';
import { removeCaptureFiles } from '@capture/storage/many-files';
import type { Storage } from '@capture/storage/storage';
import { removeHtml } from '../../captures/html-files.ts';
import { captureRecord } from '../../captures/records.ts';
import { pageOf, parseQuery, pathParameter } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';

const noSuchCapture = () => new ApiError('NOT_FOUND', 'This account has no capture with this ID (req_…).');

export function captureRoute({ database, fileUrlOf }: { database: Database; fileUrlOf: FileUrlOf }): Route {
  return {
    method: 'GET',
    path: '/api/v1/captures/:id',
    auth: 'key',
    cost: 'none',
    id: 'getCapture',
    tag: 'Captures',
    summary: 'Get a capture’s record',
    description:
      'Its status, file, options and receipt. It can be read until the retention period of records ends, longer than its file.',
    responses: { 200: { description: 'The record.', json: schemas.captureRecord } },
    async handle({ req, res, caller }) {
      const capture = await findOwnCapture(database.pool, caller.accountId, pathParameter(req, 'id'));
      if (!capture) throw noSuchCapture();
      res.json(captureRecord(capture, fileUrlOf));
    },
  };
}

export function listCapturesRoute({ database, fileUrlOf }: { database: Database; fileUrlOf: FileUrlOf }): Route {
  return {
    method: 'GET',
    path: '/api/v1/captures',
    auth: 'key',
    cost: 'none',
    id: 'listCaptures',
    tag: 'Captures',
    summary: 'List captures',
    description: 'Newest first. Filters combine; `cursor` continues where the previous page ended.',
    query: captureFilter,
    responses: {
      200: {
        description: 'A page of the account’s captures.',
        json: schemas.pageOfRows('captures', schemas.captureRecord),
      },
    },
    async handle({ req, res, caller }) {
      const { limit, cursor, status, type, batch_id, url, since, until } = parseQuery(req, captureFilter, 'this list');
      const { captures, searchedTo } = await listCaptures(database.pool, {
        accountId: caller.accountId,
        status: status ?? null,
        type: type ?? null,
        batchId: batch_id ?? null,
        url: url ?? null,
        since: since ?? null,
        until: until ?? null,
        after: cursor ?? null,
        limit: limit + 1,
      });
      res.json(pageOf('captures', captures, limit, (capture) => captureRecord(capture, fileUrlOf), searchedTo));
    },
  };
}

/** Deletes a capture's file, or cancels the capture if it has not ended. The record stays. */
export function deleteCaptureRoute(dependencies: {
  database: Database;
  storage: Storage;
  form: ContractForm;
  fileUrlOf: FileUrlOf;
  log: Logger;
}): Route {
  const { database, storage, log } = dependencies;
  return {
    method: 'DELETE',
    path: '/api/v1/captures/:id',
    auth: 'key',
    cost: 'none',
    id: 'deleteCapture',
    tag: 'Captures',
    summary: 'Delete a capture’s file',
    description: 'Deletes the file and keeps the record. A capture that has not ended is cancelled and costs nothing.',
    responses: { 204: { description: 'Deleted.' } },
    async handle({ req, res, caller }) {
      const id = pathParameter(req, 'id');
      const capture = await findOwnCapture(database.pool, caller.accountId, id);
      if (!capture) throw noSuchCapture();
      const cancelled = await cancelCapture(database.pool, dependencies, id, { processing: true });
      if (cancelled && capture.options.html !== undefined) removeHtml(dependencies, [htmlKey(id)]);
      const { error } = await removeCaptureFiles(storage, await releaseFile(database.pool, caller.accountId, id));
      if (error) {
        log.warn(
          { err: error, request_id: id },
          'a file could not be removed; the cleanup job for files without a row will remove it',
        );
      }
      res.status(204).end();
    },
  };
}
