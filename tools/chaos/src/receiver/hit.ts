import type { Signers } from './verify.ts';

/** One request at the receiver: a line of its ledger, written when the request has ended. */
export interface Hit {
  /** `webhook-id`. */
  id: string;
  /** `request_id` of the body. */
  requestId: string | null;
  path: string;
  port: number;
  /** Its number among the event's requests, from 1. */
  number: number;
  /** When the request was complete, and when it ended; milliseconds. */
  at: number;
  overAt: number;
  /** The status, if the whole response was sent. */
  status: number | null;
  /** Whether another request of the same event was in progress when it arrived. */
  overlapping: boolean;
  /** Of the body, hex. */
  sha256: string;
  /** Whether its signatures are valid, and by which secrets. */
  signed: boolean;
  signers: Signers;
}

/** Counters of the receiver. */
export interface Counts {
  /** Requests received. */
  hits: number;
  /** Events that got a 2xx at least once. */
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
