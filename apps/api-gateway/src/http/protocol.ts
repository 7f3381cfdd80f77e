import type { ApiError } from '@capture/contract/errors';
import type { Request } from 'express';
import type { Exchange } from './exchange.ts';

/** How clients of another service speak to it: where they put their key, and what an error looks like. */
export interface Protocol {
  /** The service's name. */
  name: string;
  /** What its paths begin with. */
  prefix: `/compat/${string}`;
  /** Where the key belongs, for a 401: `in the query, as access_key`. */
  keyPlace: string;
  /** The key in a request's head, or null. */
  keyOf(req: Request): string | null;
  /** The key in a body that is not parsed yet, or null: no client without a key makes the gateway parse one. */
  keyInBody?(bytes: Buffer): string | null;
  /** Sends an error in the service's form. Headers that all errors have are set. */
  sendError(exchange: Exchange, error: ApiError): void;
}
