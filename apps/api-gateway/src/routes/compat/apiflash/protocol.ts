import { nextMonth } from '@capture/contract/api/month';
import { service } from '@capture/contract/compat/apiflash/table';
import { invalidRequest } from '@capture/contract/errors';
import { translate } from '@capture/contract/translations/translate';
import { databaseNow } from '@capture/database/database-clock';
import type { Response } from 'express';
import { ownView, type ResultView } from '../../../captures/result-view.ts';
import type { KeyExchange } from '../../../http/exchange.ts';
import { type Form, valuesOf } from '../../../http/form-body.ts';
import { queryOf } from '../../../http/parameters.ts';
import { pageErrorsAre400, sendText } from '../shared/errors.ts';
import { type CompatDependencies, takeTranslated } from '../shared/take-translated.ts';
import type { Vendor } from '../shared/vendor.ts';

const path = '/v1/urltoimage';

export const apiFlash: Vendor = {
  service,
  sendError({ res }, error) {
    setQuotaHeaders(res);
    sendText(res, error, { ...pageErrorsAre400, QUOTA_EXCEEDED: 402, CAPTURE_TIMEOUT: 400 });
  },
  routes: (dependencies) => [
    {
      method: 'GET',
      path,
      handle: async (exchange) => take(dependencies, exchange, valuesOf(queryOf(exchange.req))),
    },
    {
      method: 'POST',
      path,
      handle: async (exchange) => take(dependencies, exchange, (exchange.req.body as Form).fields),
    },
    {
      method: 'GET',
      path: `${path}/quota`,
      cost: 'none',
      handle: async ({ res, caller: { plan, used, reserved } }) => {
        const { monthlyLimit: limit } = plan;
        const remaining = limit === null ? null : Math.max(0, limit - used - reserved);
        res.json({ limit, remaining, reset: resetsAt() });
      },
    },
  ],
};

function take(dependencies: CompatDependencies, exchange: KeyExchange, given: Record<string, unknown>): Promise<void> {
  const { access_key: _, response_type = 'image', ...options } = given;
  if (response_type !== 'image' && response_type !== 'json') {
    throw invalidRequest([{ field: 'response_type', message: 'must be one of image, json' }]);
  }
  return takeTranslated(dependencies, exchange, translate(service, options), { view, json: response_type === 'json' });
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

/** Sets ApiFlash's headers of the month's quota. */
function setQuotaHeaders(res: Response): void {
  const limit = res.getHeader('X-RateLimit-Limit');
  const remaining = res.getHeader('X-RateLimit-Remaining');
  if (limit === undefined || remaining === undefined) return;
  res.setHeader('X-Quota-Limit', limit);
  res.setHeader('X-Quota-Remaining', remaining);
  res.setHeader('X-Quota-Reset', resetsAt());
}
