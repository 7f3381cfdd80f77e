import { service, wholeDocument } from '@capture/contract/compat/browserless/table';
import { translate } from '@capture/contract/translations/translate';
import { asHeader } from '../../../captures/receipt-headers.ts';
import { ownView, type ResultView } from '../../../captures/result-view.ts';
import type { KeyExchange } from '../../../http/exchange.ts';
import { queryOf } from '../../../http/parameters.ts';
import { pageErrorsAre400, sendText } from '../shared/errors.ts';
import { type CompatDependencies, takeTranslated } from '../shared/take-translated.ts';
import type { Vendor } from '../shared/vendor.ts';

/** The path of a route, and its paths that name a browser. */
const pathsOf = (name: string) => [`/${name}`, `/chromium/${name}`, `/chrome/${name}`] as const;

export const browserless: Vendor = {
  service,
  sendError: ({ res }, error) => sendText(res, error, { ...pageErrorsAre400, CAPTURE_TIMEOUT: 408 }),
  routes: (dependencies) =>
    ['screenshot', 'pdf', 'content'].flatMap(pathsOf).map((path) => ({
      method: 'POST',
      path,
      handle: async (exchange) => take(dependencies, exchange),
    })),
};

function take(dependencies: CompatDependencies, exchange: KeyExchange): Promise<void> {
  const { req } = exchange;
  const query = queryOf(req);
  query.delete('token');
  const { pathname } = new URL(req.originalUrl, 'http://gateway');
  const translation = translate(service, withoutEncoding(req.body), `${pathname}?${query}`);
  const isContent = translation.type === 'content';
  return takeTranslated(dependencies, exchange, translation, { view: isContent ? contentView : view });
}

/** Removes an encoding of `binary`, which is how files are sent; any other encoding stays, and is refused. */
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

const contentView: ResultView = { ...view, output: wholeDocument };
