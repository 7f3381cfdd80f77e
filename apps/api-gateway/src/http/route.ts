import type { Exchange, KeyExchange } from './exchange.ts';

/**
 * One row of the route table. `auth` says whose key is needed, `cost` what it takes from the account's limits, `body`
 * whether a JSON body is read (after the key was checked, so that nobody without one makes us read anything).
 */
export type Route = RouteOf<'key', KeyExchange> | RouteOf<'none' | 'operator', Exchange>;

interface RouteOf<Auth, Context> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** In Express' syntax, `:name` for a parameter. */
  path: string;
  auth: Auth;
  cost: 'none' | 'capture' | 'batch';
  body?: 'json';
  /** Its answer shows a key or a secret, which is not kept to be given again: an `Idempotency-Key` is refused. */
  showsSecret?: true;
  /** A page of the operator's: where a browser without a session is led, in place of a 401. */
  signInAt?: string;
  /** The published form has nothing else at this path: its other methods are 404 in place of 405. */
  otherMethods?: 'not found';
  handle(exchange: Context): Promise<void>;
}
