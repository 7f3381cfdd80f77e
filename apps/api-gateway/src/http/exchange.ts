import type { Plan } from '@capture/contract/forms/forms';
import type { Span } from '@capture/runtime/tracing/trace';
import type { Request, Response } from 'express';

/** One request and its answer on their way through the pipeline. */
export interface Exchange {
  req: Request;
  res: Response;
  /** `req_…`: the id of this request, and of the capture that it makes. */
  requestId: string;
  /** Everything learnt on the way; written as one log line at the end. No secrets, no query strings. */
  facts: Record<string, unknown>;
  /** `performance.now()` when it came in, and when it had passed each stage, milliseconds after that. */
  startedAt: number;
  stages: Record<string, number>;
  /** All of it, as a trace tells it. */
  span: Span;
}

/** Notes that a request has passed a stage, for its log line. */
export function passed({ startedAt, stages }: Pick<Exchange, 'startedAt' | 'stages'>, stage: string): void {
  stages[stage] = Math.round((performance.now() - startedAt) * 10) / 10;
}

/** Whose key a request came with. Only `authenticate` makes one. */
export interface Caller {
  accountId: string;
  keyId: string;
  planName: string;
  plan: Plan;
  /** Units used and reserved this month when the request came in. */
  used: number;
  reserved: number;
}

/** An exchange whose caller is known. */
export interface KeyExchange extends Exchange {
  caller: Caller;
}
