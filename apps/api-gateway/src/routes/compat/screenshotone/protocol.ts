import type { CaptureRecord } from '@capture/contract/api/responses';
import { service } from '@capture/contract/compat/screenshotone/table';
import { type ApiError, type ErrorCode, invalidRequest } from '@capture/contract/errors';
import { refuseCrowds } from '@capture/contract/options/parse-request';
import { translate } from '@capture/contract/translations/translate';
import { ownView, type ResultView } from '../../../captures/result-view.ts';
import type { KeyExchange } from '../../../http/exchange.ts';
import { valuesOf } from '../../../http/form-body.ts';
import { queryOf } from '../../../http/parameters.ts';
import { htmlOfMarkdown } from '../shared/markdown.ts';
import { type CompatDependencies, takeTranslated } from '../shared/take-translated.ts';
import type { Vendor } from '../shared/vendor.ts';
import { isScreenshotOneLink, showScreenshotOneLink } from './links.ts';

/** ScreenshotOne's error codes and statuses. Any other error is an `internal_application_error`. */
const errors: Partial<Record<ErrorCode, readonly [code: string, status: number]>> = {
  INVALID_REQUEST: ['request_not_valid', 400],
  UNSUPPORTED_MEDIA_TYPE: ['request_not_valid', 400],
  PAYLOAD_TOO_LARGE: ['request_not_valid', 400],
  NOT_FOUND: ['request_not_valid', 404],
  METHOD_NOT_ALLOWED: ['request_not_valid', 405],
  FORBIDDEN: ['access_key_invalid', 400],
  LINK_INVALID: ['signature_is_not_valid', 400],
  LINK_NOT_ALLOWED: ['request_not_valid', 400],
  QUOTA_EXCEEDED: ['screenshots_limit_reached', 400],
  RATE_LIMITED: ['concurrency_limit_reached', 400],
  OVERLOADED: ['temporary_unavailable', 503],
  SELECTOR_NOT_FOUND: ['selector_not_found', 400],
  HTTP_STATUS: ['host_returned_error', 500],
  NAVIGATION_FAILED: ['network_error', 500],
  URL_UNREACHABLE: ['network_error', 500],
  URL_BLOCKED: ['network_error', 500],
  CAPTURE_TIMEOUT: ['timeout_error', 500],
};

export const screenshotOne: Vendor = {
  service,
  sendError({ req, res, sentKey }, error) {
    const unauthorized = [sentKey ? 'access_key_invalid' : 'access_key_required', 400] as const;
    const known = error.code === 'UNAUTHORIZED' ? unauthorized : errors[error.code];
    const [code, status] = known ?? ['internal_application_error', 500];
    res.status(status).json({
      is_successful: false,
      error_code: code,
      error_message: error.message,
      documentation_url: `${req.protocol}://${req.host}/docs/errors#${error.code.toLowerCase()}`,
      ...(error.details && { error_details: error.details }),
    });
  },
  routes: (dependencies) => [
    {
      method: 'GET',
      path: '/take',
      signed: {
        isSigned: isScreenshotOneLink,
        handle: (exchange) => showScreenshotOneLink(dependencies, exchange),
      },
      handle: (exchange) => take(dependencies, exchange, valuesOf(queryOf(exchange.req))),
    },
    {
      method: 'POST',
      path: '/take',
      handle: (exchange) => take(dependencies, exchange, { ...exchange.req.body }),
    },
    ...(['GET', 'POST'] as const).map((method) => ({
      method,
      path: '/animate' as const,
      cost: 'none' as const,
      handle: async () => {
        throw animationsRefused();
      },
    })),
  ],
};

const animationsRefused = (): ApiError =>
  invalidRequest([
    { field: '/animate', message: 'is not supported: animated screenshots and videos are not recorded' },
  ]);

function take(dependencies: CompatDependencies, exchange: KeyExchange, given: Record<string, unknown>): Promise<void> {
  refuseCrowds(given);
  const { access_key: _, async, response_type = 'by_format', markdown, ...options } = given;
  const view = views[String(response_type)];
  if (!view) {
    throw invalidRequest([{ field: 'response_type', message: 'must be one of by_format, empty, json' }]);
  }
  if (typeof markdown === 'string') options.html = htmlOfMarkdown(markdown, { name: 'markdown', atMostKb: 16 });
  return takeTranslated(dependencies, exchange, translate(service, options), {
    view,
    async: String(async) === 'true',
    json: response_type !== 'by_format',
  });
}

/** The fields of ScreenshotOne's JSON that this service knows. */
function theirRecord({ file_url, cached, metadata }: CaptureRecord): object {
  const { external_identifier } = metadata ?? {};
  return {
    screenshot_url: file_url,
    ...(cached && { cache_url: file_url }),
    ...(external_identifier !== undefined && { external_identifier }),
  };
}

/** The responses by `response_type`. */
const views: Readonly<Record<string, ResultView>> = {
  by_format: ownView,
  json: { ...ownView, sendRecord: (res, record) => void res.json(theirRecord(record)) },
  empty: { ...ownView, sendRecord: (res) => void res.status(200).end() },
};
