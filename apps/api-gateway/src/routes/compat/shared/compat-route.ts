import type { Exchange, KeyExchange } from '../../../http/exchange.ts';
import type { Protocol } from '../../../http/protocol.ts';
import type { BodyReader } from '../../../http/read-body.ts';
import type { Route } from '../../../http/route.ts';

interface CompatRoute<Context> {
  method: 'GET' | 'POST';
  /** Below the service's prefix. */
  path: `/${string}`;
  handle(exchange: Context): Promise<void>;
}

/** A row of the route table for clients of another service. Only its words are theirs: keys and limits apply as to ours. */
export function compatRoute(
  protocol: Protocol,
  {
    cost = 'capture',
    ...rest
  }: CompatRoute<KeyExchange> & { cost?: 'none' | 'capture'; reader?: BodyReader; signed?: Route['signed'] & {} },
): Route {
  return { ...rest, ...common(protocol, rest), auth: 'key', cost };
}

/** The same for one that needs no key. */
export function openCompatRoute(protocol: Protocol, route: CompatRoute<Exchange>): Route {
  return { ...route, ...common(protocol, route), auth: 'none' };
}

function common(protocol: Protocol, { method, path }: Pick<CompatRoute<never>, 'method' | 'path'>) {
  return {
    path: `${protocol.prefix}${path}`,
    protocol,
    // The OpenAPI document leaves it out.
    id: `${method} ${protocol.prefix}${path}`,
    tag: 'Captures',
    summary: `As ${protocol.name} does it`,
    responses: {},
  } as const;
}
