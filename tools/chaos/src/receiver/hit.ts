import type { Signers } from './verify.ts';

/** One request that the receiver got: a line of its ledger, written when the request was over. */
export interface Hit {
  /** `webhook-id`. */
  id: string;
  /** `request_id` of the body. */
  requestId: string | null;
  path: string;
  port: number;
  /** Which of the event's requests it was, from 1. */
  number: number;
  /** When all of it was there, and when it was over; milliseconds. */
  at: number;
  overAt: number;
  /** The status, if the whole answer was sent. */
  answered: number | null;
  /** Whether another request of the same event was under way when it came. */
  overlapping: boolean;
  /** Of the body, hex. */
  sha256: string;
  /** Whether its signatures are right, and whose they are. */
  signed: boolean;
  signers: Signers;
}

/** What the receiver counts while it works. */
export interface Counts {
  /** Requests that came. */
  hits: number;
  /** Events that got a 2xx at least once. */
  delivered: number;
  /** Requests under way. */
  open: number;
}

/** What the harness asks of the receiver's process; each is answered. */
export type ReceiverOrder =
  | { type: 'listen'; servers: number; tls: { key: string; cert: string } }
  | { type: 'count' }
  /** Everything behaves from now on, and what was held is answered. */
  | { type: 'heal' }
  /** All that is over is in the ledger when this is answered. */
  | { type: 'flush' };

export const isSuccess = (status: number | null) => status !== null && status >= 200 && status < 300;
