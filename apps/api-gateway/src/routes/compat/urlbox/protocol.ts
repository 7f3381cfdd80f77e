import { nextMonth } from '@capture/contract/api/month';
import type { CaptureRecord } from '@capture/contract/api/responses';
import { service } from '@capture/contract/compat/urlbox/table';
import { ApiError, type ErrorCode, invalidRequest } from '@capture/contract/errors';
import { translate } from '@capture/contract/translations/translate';
import { findOwnCapture } from '@capture/database/captures/find-capture';
import { databaseNow } from '@capture/database/database-clock';
import type { Response } from 'express';
import { captureRecord } from '../../../captures/records.ts';
import type { ResultView } from '../../../captures/result-view.ts';
import type { KeyExchange } from '../../../http/exchange.ts';
import { pathParameter } from '../../../http/parameters.ts';
import { pageErrorsAre400 } from '../shared/errors.ts';
import { type CompatDependencies, takeTranslated } from '../shared/take-translated.ts';
import type { Vendor } from '../shared/vendor.ts';
import { showUrlboxLink } from './links.ts';

const statuses: Partial<Record<ErrorCode, number>> = { ...pageErrorsAre400, CAPTURE_TIMEOUT: 500 };

export const urlbox: Vendor = {
  service,
  sendError({ res, requestId, sentKey }, error) {
    const unauthorized = sentKey ? 'ApiKeyNotFound' : 'NoApiKeySupplied';
    const code = { UNAUTHORIZED: unauthorized, INVALID_REQUEST: 'InvalidOptions' }[error.code as string] ?? error.code;
    setRenderHeaders(res);
    res.status(statuses[error.code] ?? error.status).json({ error: { message: error.message, code }, requestId });
  },
  routes: (dependencies) => [
    // Urlbox's command line uses the later paths, its libraries the earlier paths.
    ...(['/v1/screenshot', '/v1/render/sync'] as const).map((path) => post(dependencies, path, false)),
    ...(['/v1/screenshot/async', '/v1/render/async'] as const).map((path) => post(dependencies, path, true)),
    {
      method: 'GET',
      path: '/v1/render/:id',
      cost: 'none',
      handle: (exchange) => showStatus(dependencies, exchange),
    },
    {
      method: 'GET',
      path: '/v1/:key/:token/:format',
      auth: 'none',
      handle: (exchange) => showUrlboxLink(dependencies, exchange),
    },
  ],
};

const post = (dependencies: CompatDependencies, path: `/${string}`, async: boolean) => ({
  method: 'POST' as const,
  path,
  handle: async (exchange: KeyExchange) => take(dependencies, exchange, async),
});

async function showStatus({ database, fileUrlOf }: CompatDependencies, { req, res, caller }: KeyExchange) {
  const capture = await findOwnCapture(database.pool, caller.accountId, pathParameter(req, 'id'));
  if (!capture) throw new ApiError('NOT_FOUND', 'This account has no render with this ID (req_…).');
  setRenderHeaders(res);
  res.json(statusOf(captureRecord(capture, fileUrlOf)));
}

function take(dependencies: CompatDependencies, exchange: KeyExchange, async: boolean): Promise<void> {
  const { response_type = 'json', ...options } = exchange.req.body as Record<string, unknown>;
  if (response_type !== 'json' && response_type !== 'binary') {
    throw invalidRequest([{ field: 'response_type', message: 'must be one of binary, json' }]);
  }
  return takeTranslated(dependencies, exchange, translate(service, options), {
    view: viewOf(dependencies),
    async,
    json: response_type === 'json',
  });
}

const viewOf = ({ links }: CompatDependencies): ResultView => ({
  sendRecord(res, record) {
    setRenderHeaders(res);
    res.json(renderOf(record));
  },
  sendAcceptance(res, { request_id }) {
    setRenderHeaders(res);
    const statusUrl = `${links.publicUrl}/compat/urlbox/v1/render/${request_id}`;
    res.status(201).json({ status: 'created', renderId: request_id, statusUrl });
  },
  setFileHeaders: setRenderHeaders,
});

/** The response to a synchronous request. */
function renderOf({ file_url, file_size, duration_ms, created_at, started_at }: CaptureRecord): object {
  const queueTime = started_at === null ? 0 : Date.parse(started_at) - Date.parse(created_at);
  return { renderUrl: file_url, size: file_size, renderTime: duration_ms, queueTime };
}

function statusOf(record: CaptureRecord): object {
  const renderId = record.request_id;
  switch (record.status) {
    case 'completed':
      return { renderId, status: 'succeeded', ...renderOf(record) };
    case 'failed':
      return { renderId, status: 'failed', error: { message: record.error_message, code: record.error_code } };
    case 'cancelled':
      return { renderId, status: 'failed', error: { message: 'The capture was cancelled.', code: 'CANCELLED' } };
    default:
      return { renderId, status: 'created' };
  }
}

/** Sets Urlbox's headers of the month's quota. */
function setRenderHeaders(res: Response): void {
  const [allowed, remaining] = [res.getHeader('X-RateLimit-Limit'), res.getHeader('X-RateLimit-Remaining')];
  if (allowed === undefined || remaining === undefined) return;
  res.setHeader('X-Renders-Allowed', allowed);
  res.setHeader('X-Renders-Used', Number(allowed) - Number(remaining));
  res.setHeader('X-Renders-Reset', nextMonth(databaseNow()).toUTCString());
}
