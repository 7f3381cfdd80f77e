import { operatorCapture } from '@capture/contract/api/operator-responses';
import { operatorCaptureFilter } from '@capture/contract/api/paging';
import { pageOfRows } from '@capture/contract/api/responses';
import { findEmails } from '@capture/database/accounts/accounts';
import { listCaptures, type StoredCapture } from '@capture/database/captures/find-capture';
import type { Database } from '@capture/database/database';
import { pageOf, parseQuery } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';

/** Lists captures of all accounts without their files and options, which only the owners may see. */
export function operatorCapturesRoute({ database }: { database: Database }): Route {
  return {
    method: 'GET',
    path: '/api/operator/captures',
    auth: 'operator',
    id: 'listAllCaptures',
    tag: 'Operator',
    summary: 'List captures of all accounts',
    description: 'The outcome of each capture, for support: without its file, options and receipt.',
    query: operatorCaptureFilter,
    responses: { 200: { description: 'A page of captures.', json: pageOfRows('captures', operatorCapture) } },
    async handle({ req, res }) {
      const { limit, cursor, status, type, account_id, url, since, until } = parseQuery(
        req,
        operatorCaptureFilter,
        'this list',
      );
      const { captures, searchedTo } = await listCaptures(database.pool, {
        accountId: account_id ?? null,
        status: status ?? null,
        type: type ?? null,
        batchId: null,
        url: url ?? null,
        since: since ?? null,
        until: until ?? null,
        after: cursor ?? null,
        limit: limit + 1,
      });
      const emails = await findEmails(
        database,
        captures.map(({ accountId }) => accountId),
      );
      res.json(pageOf('captures', captures, limit, (capture) => record(capture, emails), searchedTo));
    },
  };
}

function record(capture: StoredCapture, emails: ReadonlyMap<string, string>) {
  return {
    request_id: capture.id,
    account_id: capture.accountId,
    account_email: emails.get(capture.accountId) ?? '',
    status: capture.status,
    url: capture.url,
    type: capture.type,
    format: capture.format,
    file_size: capture.fileSize,
    duration_ms: capture.durationMs,
    error_code: capture.errorCode,
    error_message: capture.errorMessage,
    batch_id: capture.batchId,
    cached: capture.cached,
    created_at: capture.createdAt.toISOString(),
    started_at: capture.startedAt?.toISOString() ?? null,
    completed_at: capture.completedAt?.toISOString() ?? null,
    quality: capture.quality,
  };
}
