import { type ScreenshotRequest, screenshotRequest } from '@capture/contract/capture-options';
import { invalidRequest } from '@capture/contract/errors';
import { captureFingerprint } from '@capture/contract/fingerprint';
import { decodeQuery, parseRequest } from '@capture/contract/parse-request';
import { judgeUrl, webhookSchemes } from '@capture/egress/judge-url';
import { capture } from '../capture.ts';
import type { Dependencies } from '../dependencies.ts';
import type { KeyExchange } from '../exchange.ts';
import { queryOf } from '../parameters.ts';
import type { Route } from '../route.ts';

/** `GET` with a query and `POST` with a JSON body are the same request in two spellings. */
export function screenshotRoutes(dependencies: Dependencies): Route[] {
  const common = { path: '/api/v1/screenshot', auth: 'key', cost: 'capture' } as const;
  return [
    {
      ...common,
      method: 'GET',
      handle: (exchange: KeyExchange) =>
        screenshot(dependencies, exchange, decodeQuery(screenshotRequest, queryOf(exchange.req))),
    },
    {
      ...common,
      method: 'POST',
      body: 'json',
      handle: (exchange: KeyExchange) => screenshot(dependencies, exchange, exchange.req.body),
    },
  ];
}

async function screenshot(dependencies: Dependencies, exchange: KeyExchange, given: unknown): Promise<void> {
  const request: ScreenshotRequest = parseRequest(screenshotRequest, given, 'a screenshot');
  checkReceiver(dependencies, request.webhook_url);
  await capture(dependencies, exchange, request, {
    type: 'screenshot',
    url: request.url,
    options: given as Record<string, unknown>,
    webhookUrl: request.webhook_url ?? null,
    metadata: request.metadata ?? null,
    fingerprint: captureFingerprint('screenshot', request),
    cacheTtlS: request.cache_ttl_s,
  });
}

/** @throws {ApiError} `INVALID_REQUEST` for a receiver whose address is literally not public; a name is judged later. */
export function checkReceiver(
  { addressRules }: Pick<Dependencies, 'addressRules'>,
  webhookUrl: string | undefined,
): void {
  if (webhookUrl !== undefined && judgeUrl(addressRules, webhookUrl, { schemes: webhookSchemes })) {
    throw invalidRequest([{ field: 'webhook_url', message: 'leads to an address that is not public' }]);
  }
}
