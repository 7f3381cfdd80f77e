import type { Plan } from '@capture/contract/forms/forms';
import type { Span } from '@capture/runtime/tracing/trace';
import type { Request, Response } from 'express';

/** One request and its response in the pipeline. */
export interface Exchange {
  req: Request;
  res: Response;
  /** `req_…`: the id of this request, and of the capture that it creates. */
  requestId: string;
  /** Whether the client sent a key, valid or not. */
  sentKey?: boolean;
  /** Facts that the pipeline finds; the request's log line has them. They include no secrets and no query strings. */
  facts: Record<string, unknown>;
  /** `performance.now()` when the request arrived. */
  startedAt: number;
  /** The time at which the request passed each stage, milliseconds after `startedAt`. */
  stages: Record<string, number>;
  /** The request's span in its trace. */
  span: Span;
  /**
   * Releases the request's slot to other requests of its account, because from now on the request only waits for a capture, a
   * client or another server, or has a slot of another kind. The pipeline calls this at the end in any case.
   */
  onlyWaits(): void;
}

/** Records for the log line that a request has passed a stage. */
export function passed({ startedAt, stages }: Pick<Exchange, 'startedAt' | 'stages'>, stage: string): void {
  stages[stage] = Math.round((performance.now() - startedAt) * 10) / 10;
}

/** The account and key of a request. Only `authenticate` creates one. */
export interface Caller {
  accountId: string;
  /** Null in the session of a sign-in link. */
  keyId: string | null;
  /** The id of the session that replaces the key. */
  sessionId: string | null;
  planName: string;
  plan: Plan;
  /** Units used and reserved this month when the request arrived. */
  used: number;
  reserved: number;
}

/** The exchange of an authenticated request. */
export interface KeyExchange extends Exchange {
  caller: Caller;
}
