import type { Exchange, KeyExchange } from './exchange.ts';
import type { RouteDocs } from './route-docs.ts';

/**
 * One row of the route table. `auth` names the key that a request needs, `cost` its share of the account's limits, `body`
 * whether a JSON body is read (after authentication, so that no client without a key makes the gateway read one).
 */
export type Route = RouteOf<'key', KeyExchange> | RouteOf<'none' | 'operator', Exchange>;

interface RouteOf<Auth, Context> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** In Express' syntax, `:name` for a parameter. */
  path: string;
  auth: Auth;
  cost: 'none' | 'capture' | 'batch';
  body?: 'json';
  /** The response shows a key or a secret, which is not stored for a replay: an `Idempotency-Key` is refused. */
  showsSecret?: true;
  /** An operator page: where a browser without a session is redirected, instead of a 401. */
  signInAt?: string;
  /** The published form has nothing else at this path: its other methods return 404 instead of 405. */
  otherMethods?: 'not found';
  /** Its part of the OpenAPI document. */
  docs: RouteDocs;
  handle(exchange: Context): Promise<void>;
}
