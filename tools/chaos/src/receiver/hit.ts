import type { Signers } from './verify.ts';

/** A request at the receiver: a line of its ledger, written when the request has ended. */
export interface Hit {
  /** `webhook-id`. */
  id: string;
  /** `request_id` of the body. */
  requestId: string | null;
  path: string;
  port: number;
  /** The number of the request among those of the event, from 1. */
  number: number;
  /** The times at which the request was complete, and at which it ended; milliseconds. */
  at: number;
  overAt: number;
  /** The status, if the whole response was sent. */
  status: number | null;
  /** Whether another request of the same event was in progress when this request arrived. */
  overlapping: boolean;
  /** The digest of the body, hex. */
  sha256: string;
  /** Whether the signatures are valid, and by which secrets. */
  signed: boolean;
  signers: Signers;
}

export interface Counts {
  /** Requests received. */
  hits: number;
  /** The number of events that got a 2xx at least once. */
  delivered: number;
  /** Requests in progress. */
  open: number;
}

/** Commands of the harness to the receiver process. */
export type ReceiverCommand =
  | { type: 'listen'; servers: number; tls: { key: string; cert: string } }
  | { type: 'count' }
  /** Ends all misbehavior, and responds to held requests. */
  | { type: 'heal' }
  /** Writes every ended request to the ledger. */
  | { type: 'flush' };

export const isSuccess = (status: number | null) => status !== null && status >= 200 && status < 300;
