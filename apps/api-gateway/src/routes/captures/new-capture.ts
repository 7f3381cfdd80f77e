import { allCaptureKinds, type CaptureKind } from '@capture/contract/options/capture-options';
import { decodeCaptureQuery } from '@capture/contract/options/capture-query';
import { captureFingerprint } from '@capture/contract/options/fingerprint';
import { parseRequest } from '@capture/contract/options/parse-request';
import { capture } from '../../captures/capture.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { KeyExchange } from '../../http/exchange.ts';
import { queryOf } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';
import { checkReceiver } from '../../webhooks/check-receiver.ts';

/** Two routes for each kind of captures: `GET` with a query and `POST` with a JSON body spell the same request. */
export function newCaptureRoutes(dependencies: Dependencies): Route[] {
  return allCaptureKinds.flatMap((kind) => routesOf(dependencies, kind));
}

function routesOf(dependencies: Dependencies, kind: CaptureKind): Route[] {
  const common = { path: kind.path, auth: 'key', cost: 'capture' } as const;
  return [
    {
      ...common,
      method: 'GET',
      handle: (exchange: KeyExchange) =>
        take(dependencies, exchange, kind, decodeCaptureQuery(kind, queryOf(exchange.req))),
    },
    {
      ...common,
      method: 'POST',
      body: 'json',
      handle: (exchange: KeyExchange) => take(dependencies, exchange, kind, exchange.req.body),
    },
  ];
}

async function take(
  dependencies: Dependencies,
  exchange: KeyExchange,
  kind: CaptureKind,
  given: unknown,
): Promise<void> {
  const request = parseRequest(kind.request, given, kind.name);
  checkReceiver(dependencies, request.webhook_url);
  await capture(dependencies, exchange, request, {
    type: kind.type,
    url: request.url,
    options: given as Record<string, unknown>,
    webhookUrl: request.webhook_url ?? null,
    metadata: request.metadata ?? null,
    fingerprint: captureFingerprint(kind.type, request, dependencies.encryptor.standIn),
    cacheTtlS: request.cache_ttl_s,
  });
}
