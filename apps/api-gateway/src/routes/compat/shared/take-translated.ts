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
  /** Whether the record is sent instead of the file. */
  json?: boolean;
}

/**
 * Takes a capture for a request of another service. An option without a counterpart refuses the request, unless it does not
 * affect the capture: then a header reports the option. Like `takeCapture`, this function awaits nothing.
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
 * Refuses a request with an unsupported option, or reports the option in a header if it does not affect the capture.
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

/** The longest message or header, characters: some repeat a value. */
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

/** Names each field of an error as the client did. */
export function inTheirWords(error: unknown, origins: Translation['origins']): unknown {
  if (!(error instanceof ApiError) || error.code !== 'INVALID_REQUEST' || !error.details) return error;
  const details = error.details.map((detail) => {
    const [name = '', ...path] = detail.field.split('.');
    return { ...detail, field: [Object.hasOwn(origins, name) ? origins[name] : name, ...path].join('.') };
  });
  return invalidRequest(details);
}
