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
  /** How the request counts against the account's limits. */
  cost: 'none' | 'capture' | 'batch';
}

interface OpenRoute extends RouteOf<Exchange> {
  auth: 'none' | 'operator';
}

/** Whether a request takes from the account's rate and quota. */
export const isMetered = (route: Route): boolean => route.auth === 'key' && route.cost !== 'none';

interface RouteOf<Context> extends RouteDocs {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path in Express' syntax, with `:name` for a parameter. */
  path: string;
  /** The response shows a key or a secret, which the gateway must not store for a replay: it refuses an `Idempotency-Key`. */
  showsSecret?: true;
  /** For an operator page: where to redirect a browser without a session, instead of responding with 401. */
  signInAt?: string;
  /** The published form has no other method at this path: other methods return 404 instead of 405. */
  otherMethods?: 'not found';
  /** The protocol of a route for clients of another service. The OpenAPI document leaves the route out. */
  protocol?: Protocol;
  /** Requests that a signature authorizes instead of a key. */
  signed?: { isSigned(req: Request): boolean; handle(exchange: Exchange): Promise<void> };
  /** How to read the body, if `body` does not describe it. */
  reader?: BodyReader;
  handle(exchange: Context): Promise<void>;
}

/** Whether the OpenAPI document has a route. */
export const isDocumented = (route: Route): boolean => route.isOffered !== false && !route.protocol;

/** The sections of the OpenAPI document. */
export type Tag = 'Captures' | 'Batches' | 'Links' | 'Presets' | 'Webhooks' | 'Account' | 'Operator' | 'Service';

/** The route's part of the OpenAPI document. */
interface RouteDocs {
  /**
   * False where this deployment does not offer the route: a request gets an explanation, and the document leaves the route out.
   */
  isOffered?: false;
  /** The operation's id: a verb and its object, for generated clients. */
  id: string;
  tag: Tag;
  /** The summary has one line. */
  summary: string;
  /** Details that the summary does not have. */
  description?: string;
  /** The schema of the query. */
  query?: z.ZodObject;
  /** Options of the query's schema that only a body accepts. */
  notInQuery?: ReadonlySet<string>;
  /** The JSON body, which is read after authentication: a client without a key must not make the gateway read a body. */
  body?: { schema: z.ZodType; example: unknown; required: boolean };
  /** Whether the route takes an `Idempotency-Key`. */
  idempotent?: true;
  /** The responses by status. */
  responses: Record<number, ResponseDocs>;
  /** Error codes that similar routes do not have. */
  errors?: readonly ErrorCode[];
}

export interface ResponseDocs {
  description: string;
  json?: z.ZodType;
  /** Media types other than JSON. */
  media?: readonly string[];
  /** The example of a response in text. */
  example?: string;
  /** Headers that other responses do not have, by their names in the document's components. */
  headers?: readonly string[];
}
