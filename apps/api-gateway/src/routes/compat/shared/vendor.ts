import { type ApiError, invalidRequest } from '@capture/contract/errors';
import { refuseCrowds } from '@capture/contract/options/parse-request';
import { idOf, keyPlaceOf, type Service } from '@capture/contract/translations/service';
import type { Exchange, KeyExchange } from '../../../http/exchange.ts';
import { formBody } from '../../../http/form-body.ts';
import type { Protocol } from '../../../http/protocol.ts';
import { type BodyReader, jsonBody } from '../../../http/read-body.ts';
import type { Route } from '../../../http/route.ts';
import { keyInBodyOf, keyOf } from './credentials.ts';
import type { CompatDependencies } from './take-translated.ts';

/** A service with a compatible endpoint: its routes, and the form of its errors. */
export interface Vendor {
  service: Service;
  /** Sends an error in the service's form. The headers of every error are already set. */
  sendError(exchange: Exchange, error: ApiError): void;
  routes(dependencies: CompatDependencies): CompatRoute[];
}

interface RouteOf<Context> {
  method: 'GET' | 'POST';
  /** The path below the service's prefix. */
  path: `/${string}`;
  /** Handles the request; a JSON body is an object. */
  handle(exchange: Context): Promise<void>;
}

type CompatRoute =
  | (RouteOf<KeyExchange> & {
      auth?: 'key';
      /** `capture` unless given. */
      cost?: 'none';
      /** How the body is read, if not like other bodies of the service. */
      reader?: BodyReader;
      signed?: Route['signed'] & {};
    })
  /** A route that needs no key. */
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

/** The rows of the route table for clients of another service. Only names and forms differ: keys and limits apply as elsewhere. */
export function routesOf(vendor: Vendor, protocol: Protocol, dependencies: CompatDependencies): Route[] {
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
    const own = { cost: 'capture', ...route, ...common, auth: 'key' } as const;
    if (route.method === 'GET') return own;
    return vendor.service.body === 'form'
      ? { reader: formBody, ...own }
      : { reader: jsonBody, ...own, handle: withObject(route.handle) };
  });
}

/** Handles a request whose body is a JSON object; refuses any other body. */
function withObject(handle: (exchange: KeyExchange) => Promise<void>): (exchange: KeyExchange) => Promise<void> {
  return async (exchange) => {
    refuseOthers(exchange.req.body);
    return handle(exchange);
  };
}

function refuseOthers(body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidRequest([{ field: '', message: 'the body must be a JSON object' }]);
  }
  refuseCrowds(body);
}
