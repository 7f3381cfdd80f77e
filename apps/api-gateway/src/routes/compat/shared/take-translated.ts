import { ApiError, type ErrorDetail, invalidRequest } from '@capture/contract/errors';
import { captureKinds } from '@capture/contract/options/capture-options';
import { shortened } from '@capture/contract/options/explain-names';
import type { Translation } from '@capture/contract/translations/translate';
import type { Response } from 'express';
import { asHeader } from '../../../captures/receipt-headers.ts';
import type { ResultView } from '../../../captures/result-view.ts';
import type { KeyExchange } from '../../../http/exchange.ts';
import type { ReadLinkDependencies } from '../../../links/read-link.ts';
import { type NewCaptureDependencies, takeCapture } from '../../captures/new-capture.ts';

export type CompatDependencies = NewCaptureDependencies & ReadLinkDependencies;

/** How the client wants the result. */
interface Wanted {
  view: ResultView;
  async?: boolean;
  /** The record instead of the file. */
  json?: boolean;
}

/**
 * Takes a capture as another service was asked for it. What has no counterpart refuses the request, unless the capture is
 * as good without: that is reported in a header. Like `takeCapture` it awaits nothing.
 *
 * @throws {ApiError} at once, with the names that the other service has for its options.
 */
export function takeTranslated(
  dependencies: CompatDependencies,
  exchange: KeyExchange,
  translation: Translation,
  { view, async = false, json = false }: Wanted,
): Promise<void> {
  refuseUnsupported(exchange.res, translation);
  const { type, options, origins } = translation;
  const given = { ...options, ...(async && { async }), ...(json && { response_type: 'json' }) };
  try {
    return takeCapture(dependencies, exchange, captureKinds[type], given, { view });
  } catch (error) {
    throw inTheirWords(error, origins);
  }
}

/**
 * Refuses a request for what has no counterpart, and reports in a header what the capture does not need.
 *
 * @throws {ApiError} `INVALID_REQUEST`
 */
export function refuseUnsupported(res: Response, { options, unsupported, origins }: Translation): void {
  const faults = unsupported.filter(({ harmless }) => !harmless).map(({ name, why }) => fault(name, why));
  if (options.webhook_url !== undefined) {
    faults.push(
      fault(origins.webhook_url ?? 'webhook_url', 'events have a format of their own here: see /docs/webhooks'),
    );
  }
  if (faults.length > 0) throw invalidRequest(faults);
  reportIgnored(res, unsupported);
}

/** Of a message or a header, characters: some repeat a value. */
const longestReport = 1_000;

function fault(name: string, why: string): ErrorDetail {
  const message = /^(is|does) /.test(why) ? why : `is not supported: ${why}`;
  return { field: shortened(name), message: message.slice(0, longestReport) };
}

function reportIgnored(res: Response, unsupported: Translation['unsupported']): void {
  if (unsupported.length === 0) return;
  const reasons = unsupported.map(({ name, why }) => `${name} (${why.replaceAll('`', '')})`);
  res.setHeader('X-Capture-Ignored', asHeader(reasons.join(', ').slice(0, longestReport)));
}

/** Names each field at fault as the client did. */
export function inTheirWords(error: unknown, origins: Translation['origins']): unknown {
  if (!(error instanceof ApiError) || error.code !== 'INVALID_REQUEST' || !error.details) return error;
  const details = error.details.map((detail) => {
    const [name = '', ...path] = detail.field.split('.');
    return { ...detail, field: [Object.hasOwn(origins, name) ? origins[name] : name, ...path].join('.') };
  });
  return invalidRequest(details);
}
