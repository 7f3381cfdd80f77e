import { nextMonth } from '@capture/contract/api/month';
import { fromApiFlash } from '@capture/contract/compat/apiflash/table';
import { type ErrorCode, invalidRequest } from '@capture/contract/errors';
import { databaseNow } from '@capture/database/database-clock';
import type { Response } from 'express';
import { ownView, type ResultView } from '../../../captures/result-view.ts';
import type { KeyExchange } from '../../../http/exchange.ts';
import { type Form, formBody, valuesOf } from '../../../http/form-body.ts';
import { queryOf } from '../../../http/parameters.ts';
import type { Protocol } from '../../../http/protocol.ts';
import type { Route } from '../../../http/route.ts';
import { compatRoute } from '../shared/compat-route.ts';
import { formKeyOf } from '../shared/credentials.ts';
import { type CompatDependencies, takeTranslated } from '../shared/take-translated.ts';

/** Their statuses: 400 for a request or a page, 500 for the service. */
const statuses: Partial<Record<ErrorCode, number>> = {
  QUOTA_EXCEEDED: 402,
  URL_BLOCKED: 400,
  HTTP_STATUS: 400,
  QUALITY_REJECTED: 400,
  NAVIGATION_FAILED: 400,
  URL_UNREACHABLE: 400,
  SELECTOR_NOT_FOUND: 400,
  PAGE_TOO_LARGE: 400,
  CAPTURE_TIMEOUT: 400,
};

export const apiFlashProtocol: Protocol = {
  name: 'ApiFlash',
  prefix: '/compat/apiflash',
  keyPlace: 'as access_key',
  keyOf: (req) => queryOf(req).get('access_key') || null,
  keyInBody: (bytes) => formKeyOf(bytes, 'access_key'),
  sendError({ res }, error) {
    setQuotaHeaders(res);
    res
      .status(statuses[error.code] ?? error.status)
      .type('text/plain')
      .send(error.message);
  },
};

export function apiFlashRoutes(dependencies: CompatDependencies): Route[] {
  const path = '/v1/urltoimage';
  return [
    compatRoute(apiFlashProtocol, {
      method: 'GET',
      path,
      handle: async (exchange) => take(dependencies, exchange, valuesOf(queryOf(exchange.req))),
    }),
    compatRoute(apiFlashProtocol, {
      method: 'POST',
      path,
      reader: formBody,
      handle: async (exchange) => take(dependencies, exchange, (exchange.req.body as Form).fields),
    }),
    compatRoute(apiFlashProtocol, {
      method: 'GET',
      path: `${path}/quota`,
      cost: 'none',
      handle: async ({ res, caller: { plan, used, reserved } }) => {
        const { monthlyLimit: limit } = plan;
        const remaining = limit === null ? null : Math.max(0, limit - used - reserved);
        res.json({ limit, remaining, reset: resetsAt() });
      },
    }),
  ];
}

function take(dependencies: CompatDependencies, exchange: KeyExchange, given: Record<string, unknown>): Promise<void> {
  const { access_key: _, response_type = 'image', ...options } = given;
  if (response_type !== 'image' && response_type !== 'json') {
    throw invalidRequest([{ field: 'response_type', message: 'must be one of image, json' }]);
  }
  return takeTranslated(dependencies, exchange, fromApiFlash(options), { view, json: response_type === 'json' });
}

const view: ResultView = {
  ...ownView,
  sendRecord(res, { file_url }) {
    setQuotaHeaders(res);
    res.json({ url: file_url });
  },
  setFileHeaders: setQuotaHeaders,
};

/** When the month's quota begins again, Unix seconds. */
const resetsAt = () => nextMonth(databaseNow()).getTime() / 1_000;

/** Their headers of the month's quota, from ours. */
function setQuotaHeaders(res: Response): void {
  const limit = res.getHeader('X-RateLimit-Limit');
  const remaining = res.getHeader('X-RateLimit-Remaining');
  if (limit === undefined || remaining === undefined) return;
  res.setHeader('X-Quota-Limit', limit);
  res.setHeader('X-Quota-Remaining', remaining);
  res.setHeader('X-Quota-Reset', resetsAt());
}
