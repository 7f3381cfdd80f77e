import * as schemas from '@capture/contract/api/responses';
import { captureErrorCodes, invalidRequest } from '@capture/contract/errors';
import { allCaptureKinds, type CaptureKind } from '@capture/contract/options/capture-options';
import { bodyOnlyOptions, decodeCaptureQuery } from '@capture/contract/options/capture-query';
import { captureFingerprint } from '@capture/contract/options/fingerprint';
import { parseRequest, refuseCrowds } from '@capture/contract/options/parse-request';
import { referenceIn } from '@capture/contract/options/preset-options';
import { respell } from '@capture/contract/options/respell';
import type { AddressRules } from '@capture/egress/address-rules';
import { type CaptureDependencies, capture } from '../../captures/capture.ts';
import { contentTypesOf } from '../../captures/file-headers.ts';
import type { ResultView } from '../../captures/result-view.ts';
import type { KeyExchange } from '../../http/exchange.ts';
import { queryOf } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';
import { receiptHeaders } from '../../openapi/headers.ts';
import { applyPreset, findPresets } from '../../presets/find-presets.ts';
import { checkReceiver } from '../../webhooks/check-receiver.ts';

export interface NewCaptureDependencies extends CaptureDependencies {
  addressRules: AddressRules;
}

const examples: Record<CaptureKind['type'], object> = {
  screenshot: { url: 'https://example.com/', full_page: true, format: 'webp', quality: 80 },
  pdf: { url: 'https://example.com/', paper: 'A4', margin: { top: '20mm', bottom: '20mm' } },
  og_image: { url: 'https://example.com/', template: 'card', theme: 'dark' },
  content: { url: 'https://example.com/', extract: { title: { selector: 'h1' } }, response_type: 'json' },
};

/** Creates two routes per kind of capture: `GET` with a query and `POST` with a JSON body make the same request. */
export function newCaptureRoutes(dependencies: NewCaptureDependencies): Route[] {
  return allCaptureKinds.flatMap((kind) => routesOf(dependencies, kind));
}

function routesOf(dependencies: NewCaptureDependencies, kind: CaptureKind): Route[] {
  const noun = { screenshot: 'Screenshot', pdf: 'Pdf', og_image: 'OgImage', content: 'Content' }[kind.type];
  const common = {
    path: kind.path,
    auth: 'key',
    cost: 'capture',
    tag: 'Captures',
    responses: {
      200: {
        description: 'The bytes, or the record with `response_type=json`.',
        media: contentTypesOf(kind.formats),
        json: schemas.captureRecord,
        headers: Object.keys(receiptHeaders),
      },
      202: { description: 'With `async`: where to find the record.', json: schemas.acceptance },
    },
    errors: [...captureErrorCodes, 'OVERLOADED'],
  } as const;
  return [
    {
      ...common,
      method: 'GET',
      id: `get${noun}`,
      summary: `Take ${kind.name}`,
      description:
        'The query carries the options: an object or array as JSON text, an array of plain values also comma-separated. A repeated option is refused. Put confidential values in the body of a POST: servers and proxies log URLs.',
      query: kind.request.in,
      notInQuery: bodyOnlyOptions,
      handle: (exchange: KeyExchange) =>
        start(dependencies, exchange, kind, decodeCaptureQuery(kind, queryOf(exchange.req))),
    },
    {
      ...common,
      method: 'POST',
      id: `take${noun}`,
      summary: `Take ${kind.name}, options as JSON`,
      description: 'Also accepts `html` instead of `url`.',
      body: { schema: kind.request.in, example: examples[kind.type], required: true },
      idempotent: true,
      handle: (exchange: KeyExchange) => start(dependencies, exchange, kind, exchange.req.body),
    },
  ];
}

/** Merges the options of the request over those of the named preset, if the request names one. */
function start(
  dependencies: NewCaptureDependencies,
  exchange: KeyExchange,
  kind: CaptureKind,
  given: unknown,
): Promise<void> {
  const reference = referenceIn(given);
  if (reference === null) return takeCapture(dependencies, exchange, kind, given);
  refuseCrowds(given);
  const own = given as Record<string, unknown>;
  // The call is chained and not awaited, because its variables hold the body.
  return findPresets(dependencies, exchange.caller.accountId, [reference])
    .then((presets) => {
      const preset = presets.get(reference);
      if (!preset || 'fault' in preset) throw invalidRequest(preset ? [preset.fault] : []);
      return applyPreset(own, preset);
    })
    .then(({ options, placeOf }) => takeCapture(dependencies, exchange, kind, options, { placeOf }));
}

/**
 * Takes a capture with the options of a request. It awaits nothing: its variables hold the request's body, and a request waits
 * long for its capture.
 *
 * @param more.view how the result is shown; @param more.placeOf where a client finds an invalid option that is not in the
 * request.
 * @throws {ApiError} at once for invalid options.
 */
export function takeCapture(
  dependencies: NewCaptureDependencies,
  exchange: KeyExchange,
  kind: CaptureKind,
  given: unknown,
  { view, placeOf }: { view?: ResultView; placeOf?: (field: string) => string } = {},
): Promise<void> {
  const request = parseRequest(kind.request, respell(given), kind.name, placeOf);
  checkReceiver(dependencies, request.webhook_url);
  const requested = {
    type: kind.type,
    url: request.url,
    options: given as Record<string, unknown>,
    webhookUrl: request.webhook_url ?? null,
    metadata: request.metadata ?? null,
    fingerprint: captureFingerprint(kind.type, request, dependencies.encryptor.keyedHash),
    cacheTtlS: request.cache_ttl_s,
  };
  return capture(dependencies, exchange, request, requested, view);
}
