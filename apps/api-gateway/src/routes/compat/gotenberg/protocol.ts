import { service } from '@capture/contract/compat/gotenberg/table';
import { invalidRequest } from '@capture/contract/errors';
import { translate } from '@capture/contract/translations/translate';
import type { Request } from 'express';
import { ownView, type ResultView } from '../../../captures/result-view.ts';
import type { KeyExchange } from '../../../http/exchange.ts';
import { type Form, formBody } from '../../../http/form-body.ts';
import { pageErrorsAre400, sendText } from '../shared/errors.ts';
import { type CompatDependencies, takeTranslated } from '../shared/take-translated.ts';
import type { Vendor } from '../shared/vendor.ts';
import { pagesOf } from './files.ts';

const statuses = {
  ...pageErrorsAre400,
  URL_BLOCKED: 403,
  HTTP_STATUS: 409,
  QUALITY_REJECTED: 409,
  CAPTURE_TIMEOUT: 503,
};

export const gotenberg: Vendor = {
  service,
  sendError({ req, res, requestId }, error) {
    res.setHeader('Gotenberg-Trace', traceOf(req) ?? requestId);
    if (error.code === 'UNAUTHORIZED') res.setHeader('WWW-Authenticate', 'Basic realm="Restricted"');
    sendText(res, error, statuses);
  },
  routes: (dependencies) =>
    (['convert', 'screenshot'] as const).flatMap((what) =>
      (['url', 'html', 'markdown'] as const).map((source) => ({
        method: 'POST',
        path: `/forms/chromium/${what}/${source}`,
        // Markdown takes long to render.
        ...(source === 'markdown' && { reader: { ...formBody, takesLong: true } }),
        handle: async (exchange: KeyExchange) => take(dependencies, exchange, what, source),
      })),
    ),
};

/** The client's name of its request. */
function traceOf(req: Request): string | undefined {
  return /^[\w.:-]{1,100}$/.exec(req.get('Gotenberg-Trace') ?? '')?.[0];
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
  // A form with a URL uses only its header and footer, as in Gotenberg.
  const pages = source === 'url' ? namedTexts(form) : pagesOf(form, source === 'markdown');
  const route = `/forms/chromium/${what}/${source === 'url' ? 'url' : 'html'}`;
  return takeTranslated(dependencies, exchange, translate(service, { ...form.fields, ...pages }, route), {
    view: viewOf(exchange),
  });
}

function namedTexts({ files }: Form): Record<string, string> {
  const named = files.filter(({ name }) => name === 'header.html' || name === 'footer.html');
  return Object.fromEntries(named.map(({ name, bytes }) => [name, bytes.toString('utf8')]));
}

/** Refuses a webhook: Gotenberg's webhooks carry the file, and webhooks of this service never do. */
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
