import type { ApiError } from '@capture/contract/errors';
import { idOf, keyPlaceOf, type Service } from '@capture/contract/translations/service';
import type { Exchange, KeyExchange } from '../../../http/exchange.ts';
import { formBody } from '../../../http/form-body.ts';
import type { Protocol } from '../../../http/protocol.ts';
import { type BodyReader, jsonBody } from '../../../http/read-body.ts';
import type { Route } from '../../../http/route.ts';
import { keyInBodyOf, keyOf } from './credentials.ts';
import type { CompatDependencies } from './take-translated.ts';

/** A service with a compatible endpoint: what its paths do, and how an error looks there. */
export interface Vendor {
  service: Service;
  /** Sends an error in the service's form. Headers that all errors have are set. */
  sendError(exchange: Exchange, error: ApiError): void;
  routes(dependencies: CompatDependencies): CompatRoute[];
}

interface RouteOf<Context> {
  method: 'GET' | 'POST';
  /** Below the service's prefix. */
  path: `/${string}`;
  handle(exchange: Context): Promise<void>;
}

type CompatRoute =
  | (RouteOf<KeyExchange> & {
      auth?: 'key';
      /** `capture` unless given. */
      cost?: 'none';
      /** How the body is read, unless as the service's other bodies. */
      reader?: BodyReader;
      signed?: Route['signed'] & {};
    })
  /** Needs no key. */
  | (RouteOf<Exchange> & { auth: 'none' });

export function protocolOf({ service, sendError }: Vendor): Protocol {
  const keyInBody = keyInBodyOf(service);
  return {
    name: service.name,
    prefix: `/compat/${idOf(service)}`,
    keyPlace: keyPlaceOf(service).replaceAll('`', ''),
    keyOf: (req) => keyOf(service, req),
    ...(keyInBody && { keyInBody }),
    sendError,
  };
}

/** The rows of the route table for clients of another service. Only the words are theirs: keys and limits apply as to ours. */
export function routesOf(vendor: Vendor, protocol: Protocol, dependencies: CompatDependencies): Route[] {
  const reader = { json: jsonBody, form: formBody }[vendor.service.body];
  return vendor.routes(dependencies).map((route): Route => {
    const path = `${protocol.prefix}${route.path}`;
    const common = {
      path,
      protocol,
      // The OpenAPI document leaves it out.
      id: `${route.method} ${path}`,
      tag: 'Captures',
      summary: `As ${protocol.name} does it`,
      responses: {},
    } as const;
    if (route.auth === 'none') return { ...route, ...common };
    return { cost: 'capture', ...(route.method === 'POST' && { reader }), ...route, ...common, auth: 'key' };
  });
}
