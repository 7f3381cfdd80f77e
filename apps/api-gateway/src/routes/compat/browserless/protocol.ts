import { fromBrowserless } from '@capture/contract/compat/browserless/table';
import { type ErrorCode, invalidRequest } from '@capture/contract/errors';
import { refuseCrowds } from '@capture/contract/options/parse-request';
import { bearerOf } from '../../../auth/authenticate.ts';
import { asHeader } from '../../../captures/receipt-headers.ts';
import { ownView, type ResultView } from '../../../captures/result-view.ts';
import type { KeyExchange } from '../../../http/exchange.ts';
import { queryOf } from '../../../http/parameters.ts';
import type { Protocol } from '../../../http/protocol.ts';
import { jsonBody } from '../../../http/read-body.ts';
import type { Route } from '../../../http/route.ts';
import { compatRoute } from '../shared/compat-route.ts';
import { basicOf } from '../shared/credentials.ts';
import { type CompatDependencies, takeTranslated } from '../shared/take-translated.ts';

/** Their statuses, where they differ from ours. */
const statuses: Partial<Record<ErrorCode, number>> = {
  CAPTURE_TIMEOUT: 408,
  URL_BLOCKED: 400,
  HTTP_STATUS: 400,
  QUALITY_REJECTED: 400,
  NAVIGATION_FAILED: 400,
  URL_UNREACHABLE: 400,
  SELECTOR_NOT_FOUND: 400,
  PAGE_TOO_LARGE: 400,
};

export const browserlessProtocol: Protocol = {
  name: 'browserless',
  prefix: '/compat/browserless',
  keyPlace: 'in the query, as token, or in the header Authorization',
  keyOf(req) {
    const basic = basicOf(req);
    return queryOf(req).get('token') || bearerOf(req.headers) || basic?.username || basic?.password || null;
  },
  sendError({ res }, error) {
    res
      .status(statuses[error.code] ?? error.status)
      .type('text/plain')
      .send(error.message);
  },
};

/** A route by itself, and those that name a browser. */
const pathsOf = (name: string) => [`/${name}`, `/chromium/${name}`, `/chrome/${name}`] as const;

export function browserlessRoutes(dependencies: CompatDependencies): Route[] {
  return ['screenshot', 'pdf', 'content'].flatMap(pathsOf).map((path) =>
    compatRoute(browserlessProtocol, {
      method: 'POST',
      path: path as `/${string}`,
      reader: jsonBody,
      handle: async (exchange) => take(dependencies, exchange),
    }),
  );
}

function take(dependencies: CompatDependencies, exchange: KeyExchange): Promise<void> {
  const { req } = exchange;
  const body: unknown = req.body;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidRequest([{ field: '', message: 'the body must be a JSON object' }]);
  }
  refuseCrowds(body);
  const query = queryOf(req);
  query.delete('token');
  const { pathname } = new URL(req.originalUrl, 'http://gateway');
  const translation = fromBrowserless(withoutEncoding(body as Record<string, unknown>), `${pathname}?${query}`);
  return takeTranslated(dependencies, exchange, translation, { view });
}

/** The bytes of a file are what we send; any other encoding stays, and is refused. */
function withoutEncoding(body: Record<string, unknown>): Record<string, unknown> {
  const { options } = body;
  if (typeof options !== 'object' || options === null || !('encoding' in options)) return body;
  const { encoding, ...others } = options;
  return encoding === 'binary' ? { ...body, options: others } : body;
}

const view: ResultView = {
  ...ownView,
  setFileHeaders(res, { receipt }) {
    if (receipt?.http_status) res.setHeader('X-Response-Code', receipt.http_status);
    if (receipt?.final_url) res.setHeader('X-Response-URL', asHeader(receipt.final_url));
  },
};
