import type { ApiError } from '@capture/contract/errors';
import type { Request } from 'express';
import type { Exchange } from './exchange.ts';

/** How clients of another service communicate with it: where they put their key, and how an error looks. */
export interface Protocol {
  /** The service's name. */
  name: string;
  /** The beginning of the service's paths. */
  prefix: `/compat/${string}`;
  /** Where the client puts its key, for the message of a 401: `in the query, as access_key`. */
  keyPlace: string;
  /** The key in a request's head, or null. */
  keyOf(req: Request): string | null;
  /** The key in a body that is not parsed yet, or null: a client without a key must not make the gateway parse a body. */
  keyInBody?(bytes: Buffer): string | null;
  /** Sends an error in the service's form. The caller has set the headers that all errors have. */
  sendError(exchange: Exchange, error: ApiError): void;
}
