import type { ErrorCode } from '@capture/contract/errors';
import type { Request } from 'express';
import type { z } from 'zod';
import type { Exchange, KeyExchange } from './exchange.ts';
import type { Protocol } from './protocol.ts';
import type { BodyReader } from './read-body.ts';

/** One row of the route table: who may call it, what it does, and its part of the OpenAPI document. */
export type Route = KeyRoute | OpenRoute;

export interface KeyRoute extends RouteOf<KeyExchange> {
  auth: 'key';
  /** The request's share of the account's limits. */
  cost: 'none' | 'capture' | 'batch';
}

interface OpenRoute extends RouteOf<Exchange> {
  auth: 'none' | 'operator';
}

/** Whether a request takes from the account's rate and quota. */
export const isMetered = (route: Route): boolean => route.auth === 'key' && route.cost !== 'none';

interface RouteOf<Context> extends RouteDocs {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In Express' syntax, `:name` for a parameter. */
  path: string;
  /** The response shows a key or a secret, which is not stored for a replay: an `Idempotency-Key` is refused. */
  showsSecret?: true;
  /** An operator page: where a browser without a session is redirected, instead of a 401. */
  signInAt?: string;
  /** The published form has nothing else at this path: its other methods return 404 instead of 405. */
  otherMethods?: 'not found';
  /** Of a route for clients of another service, which the OpenAPI document leaves out: its schemas are not ours. */
  protocol?: Protocol;
  /** Requests that a signature authorizes instead of a key. */
  signed?: { isSigned(req: Request): boolean; handle(exchange: Exchange): Promise<void> };
  /** How its body is read, if it is not the one that `body` describes. */
  reader?: BodyReader;
  handle(exchange: Context): Promise<void>;
}

/** Whether the OpenAPI document has a route. */
export const isDocumented = (route: Route): boolean => route.isOffered !== false && !route.protocol;

/** The sections of the OpenAPI document. */
export type Tag = 'Captures' | 'Batches' | 'Links' | 'Presets' | 'Webhooks' | 'Account' | 'Operator' | 'Service';

/** What the OpenAPI document says of a route. */
interface RouteDocs {
  /** False where this deployment does not offer it: it says so, and is not in the document. */
  isOffered?: false;
  /** The operation's id: a verb and its object, for generated clients. */
  id: string;
  tag: Tag;
  /** One line. */
  summary: string;
  /** More, where the summary does not say it. */
  description?: string;
  /** The schema of the query. */
  query?: z.ZodObject;
  /** Options of the query's schema that only a body takes. */
  notInQuery?: ReadonlySet<string>;
  /** Of a route with a JSON body, which is read after authentication: no client without a key makes the gateway read one. */
  body?: { schema: z.ZodType; example: unknown; required: boolean };
  /** Whether the route takes an `Idempotency-Key`. */
  idempotent?: true;
  /** By status. */
  responses: Record<number, ResponseDocs>;
  /** Error codes beyond those of every similar route. */
  errors?: readonly ErrorCode[];
}

export interface ResponseDocs {
  description: string;
  json?: z.ZodType;
  /** Media types other than JSON. */
  media?: readonly string[];
  /** The example of a text. */
  example?: string;
  /** Headers beyond those of every response, by their names among the document's components. */
  headers?: readonly string[];
}
