import { nextMonth } from '@capture/contract/api/month';
import type { CaptureRecord } from '@capture/contract/api/responses';
import { fromUrlbox } from '@capture/contract/compat/urlbox/table';
import { ApiError, type ErrorCode, invalidRequest } from '@capture/contract/errors';
import { refuseCrowds } from '@capture/contract/options/parse-request';
import { findOwnCapture } from '@capture/database/captures/find-capture';
import { databaseNow } from '@capture/database/database-clock';
import type { Response } from 'express';
import { bearerOf } from '../../../auth/authenticate.ts';
import { captureRecord } from '../../../captures/records.ts';
import type { ResultView } from '../../../captures/result-view.ts';
import type { KeyExchange } from '../../../http/exchange.ts';
import { pathParameter } from '../../../http/parameters.ts';
import type { Protocol } from '../../../http/protocol.ts';
import { jsonBody } from '../../../http/read-body.ts';
import type { Route } from '../../../http/route.ts';
import { compatRoute, openCompatRoute } from '../shared/compat-route.ts';
import { type CompatDependencies, takeTranslated } from '../shared/take-translated.ts';
import { showUrlboxLink } from './links.ts';

/** Their statuses, where they differ from ours: 400 for a request or a page, 500 for the service. */
const statuses: Partial<Record<ErrorCode, number>> = {
  URL_BLOCKED: 400,
  HTTP_STATUS: 400,
  QUALITY_REJECTED: 400,
  NAVIGATION_FAILED: 400,
  URL_UNREACHABLE: 400,
  SELECTOR_NOT_FOUND: 400,
  PAGE_TOO_LARGE: 400,
  CAPTURE_TIMEOUT: 500,
};

export const urlboxProtocol: Protocol = {
  name: 'Urlbox',
  prefix: '/compat/urlbox',
  keyPlace: 'as Authorization: Bearer',
  keyOf: ({ headers }) => bearerOf(headers),
  sendError({ res, requestId, sentKey }, error) {
    const code = error.code === 'UNAUTHORIZED' ? (sentKey ? 'ApiKeyNotFound' : 'NoApiKeySupplied') : error.code;
    setRenderHeaders(res);
    res.status(statuses[error.code] ?? error.status).json({ error: { message: error.message, code }, requestId });
  },
};

export function urlboxRoutes(dependencies: CompatDependencies): Route[] {
  const { database, fileUrlOf } = dependencies;
  const post = (path: `/${string}`, async: boolean) =>
    compatRoute(urlboxProtocol, {
      method: 'POST',
      path,
      reader: jsonBody,
      handle: async (exchange) => take(dependencies, exchange, async),
    });
  return [
    post('/v1/render/sync', false),
    post('/v1/render/async', true),
    compatRoute(urlboxProtocol, {
      method: 'GET',
      path: '/v1/render/:id',
      cost: 'none',
      async handle({ req, res, caller }) {
        const capture = await findOwnCapture(database.pool, caller.accountId, pathParameter(req, 'id'));
        if (!capture) throw new ApiError('NOT_FOUND', 'This account has no render with this ID (req_…).');
        setRenderHeaders(res);
        res.json(statusOf(captureRecord(capture, fileUrlOf)));
      },
    }),
    openCompatRoute(urlboxProtocol, {
      method: 'GET',
      path: '/v1/:key/:token/:format',
      handle: (exchange) => showUrlboxLink(dependencies, exchange),
    }),
  ];
}

function take(dependencies: CompatDependencies, exchange: KeyExchange, async: boolean): Promise<void> {
  const body: unknown = exchange.req.body;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidRequest([{ field: '', message: 'the body must be a JSON object' }]);
  }
  refuseCrowds(body);
  const { response_type = 'json', ...options } = body as Record<string, unknown>;
  if (response_type !== 'json' && response_type !== 'binary') {
    throw invalidRequest([{ field: 'response_type', message: 'must be one of binary, json' }]);
  }
  return takeTranslated(dependencies, exchange, fromUrlbox(options), {
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
    const statusUrl = `${links.publicUrl}${urlboxProtocol.prefix}/v1/render/${request_id}`;
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

/** Their headers of the month's quota, from ours. */
function setRenderHeaders(res: Response): void {
  const [allowed, remaining] = [res.getHeader('X-RateLimit-Limit'), res.getHeader('X-RateLimit-Remaining')];
  if (allowed === undefined || remaining === undefined) return;
  res.setHeader('X-Renders-Allowed', allowed);
  res.setHeader('X-Renders-Used', Number(allowed) - Number(remaining));
  res.setHeader('X-Renders-Reset', nextMonth(databaseNow()).toUTCString());
}
