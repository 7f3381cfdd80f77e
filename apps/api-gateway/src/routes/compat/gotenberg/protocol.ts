import { fromGotenberg } from '@capture/contract/compat/gotenberg/table';
import { type ErrorCode, invalidRequest } from '@capture/contract/errors';
import type { Request } from 'express';
import { ownView, type ResultView } from '../../../captures/result-view.ts';
import type { KeyExchange } from '../../../http/exchange.ts';
import { type Form, formBody } from '../../../http/form-body.ts';
import type { Protocol } from '../../../http/protocol.ts';
import type { Route } from '../../../http/route.ts';
import { compatRoute } from '../shared/compat-route.ts';
import { basicOf } from '../shared/credentials.ts';
import { type CompatDependencies, takeTranslated } from '../shared/take-translated.ts';
import { pagesOf } from './files.ts';

/** Their statuses, where they differ from ours. */
const statuses: Partial<Record<ErrorCode, number>> = {
  URL_BLOCKED: 403,
  HTTP_STATUS: 409,
  QUALITY_REJECTED: 409,
  NAVIGATION_FAILED: 400,
  URL_UNREACHABLE: 400,
  SELECTOR_NOT_FOUND: 400,
  PAGE_TOO_LARGE: 400,
  CAPTURE_TIMEOUT: 503,
};

export const gotenbergProtocol: Protocol = {
  name: 'Gotenberg',
  prefix: '/compat/gotenberg',
  keyPlace: 'as the password of Basic authentication or in the header X-Api-Key',
  keyOf: (req) => req.get('X-Api-Key') || basicOf(req)?.password || null,
  sendError({ req, res, requestId }, error) {
    res.setHeader('Gotenberg-Trace', traceOf(req) ?? requestId);
    if (error.code === 'UNAUTHORIZED') res.setHeader('WWW-Authenticate', 'Basic realm="Restricted"');
    res
      .status(statuses[error.code] ?? error.status)
      .type('text/plain')
      .send(error.message);
  },
};

/** The client's own name of its request. */
function traceOf(req: Request): string | undefined {
  return /^[\w.:-]{1,100}$/.exec(req.get('Gotenberg-Trace') ?? '')?.[0];
}

export function gotenbergRoutes(dependencies: CompatDependencies): Route[] {
  return (['convert', 'screenshot'] as const).flatMap((what) =>
    (['url', 'html', 'markdown'] as const).map((source) =>
      compatRoute(gotenbergProtocol, {
        method: 'POST',
        path: `/forms/chromium/${what}/${source}`,
        // Markdown takes long to render.
        reader: source === 'markdown' ? { ...formBody, takesLong: true } : formBody,
        handle: async (exchange) => take(dependencies, exchange, what, source),
      }),
    ),
  );
}

function take(
  dependencies: CompatDependencies,
  exchange: KeyExchange,
  what: 'convert' | 'screenshot',
  source: 'url' | 'html' | 'markdown',
): Promise<void> {
  const { req } = exchange;
  refuseWebhook(req);
  const form: Form = req.body;
  // Other files than those of a page have no use with a URL, theirs neither.
  const pages = source === 'url' ? namedTexts(form) : pagesOf(form, source === 'markdown');
  const route = `/forms/chromium/${what}/${source === 'url' ? 'url' : 'html'}`;
  return takeTranslated(dependencies, exchange, fromGotenberg({ ...form.fields, ...pages }, route), {
    view: viewOf(exchange),
  });
}

function namedTexts({ files }: Form): Record<string, string> {
  const named = files.filter(({ name }) => name === 'header.html' || name === 'footer.html');
  return Object.fromEntries(named.map(({ name, bytes }) => [name, bytes.toString('utf8')]));
}

/** Their webhooks carry the file, ours never do. */
function refuseWebhook(req: Request): void {
  const names = ['Gotenberg-Webhook-Url', 'Gotenberg-Webhook-Error-Url', 'Gotenberg-Webhook-Events-Url'];
  const given = names.filter((name) => req.get(name) !== undefined);
  if (given.length === 0) return;
  throw invalidRequest(
    given.map((field) => ({
      field,
      message: 'is not supported: the file is in the response, and webhooks carry no files',
    })),
  );
}

function viewOf({ req, requestId }: KeyExchange): ResultView {
  const name = req.get('Gotenberg-Output-Filename');
  if (name !== undefined && !/^[\w .()-]{1,200}$/.test(name)) {
    throw invalidRequest([
      { field: 'Gotenberg-Output-Filename', message: 'must have only letters, digits, blanks and .()-_' },
    ]);
  }
  return {
    ...ownView,
    setFileHeaders(res, record) {
      res.attachment(`${name ?? record.request_id}.${record.format}`);
      res.setHeader('Gotenberg-Trace', traceOf(req) ?? requestId);
    },
  };
}
