import type { ContractForm } from '@capture/contract/forms/forms';
import type { DeliveryAttempt } from './begin-attempt.ts';

export interface AttemptOutcome {
  startedAt: Date;
  endedAt: Date;
  /** The receiver's HTTP status; null without a response. */
  status: number | null;
  /** An error code of the contract; null for a 2xx status. */
  error: string | null;
  /** Whether the look-up of the receiver's name used up its time. This also has the error `dns`. */
  lookUpTimedOut?: boolean;
  /** The beginning of the response body. */
  responseExcerpt: string | null;
}

export type DeliveryState = 'delivered' | 'pending' | 'failed' | 'paused';

export interface RecordedAttempt {
  state: DeliveryState;
  /** Whether the receiver waited for the slot that is free now. */
  receiverDue: boolean;
}

/** Changes that happened while the attempt was in progress. */
export interface Meanwhile {
  /** Whether a client requested a retry. */
  retryAsked: boolean;
  /** The registered endpoint's status; null if the endpoint was deleted; `active` if the URL comes from a request. */
  endpoint: string | null;
}

export interface NextState {
  status: DeliveryState;
  /** Null unless the status is `pending`. */
  nextAttemptAt: Date | null;
  /** The number of used delays of the schedule. */
  retriesUsed: number;
  trigger: 'schedule' | 'manual';
}

/**
 * Returns the state after a failed attempt, by the form's schedule. A retry's delay counts from the end of the previous attempt.
 * A requested retry follows at once, with a fresh schedule.
 */
export function stateAfterFailure(
  form: ContractForm,
  { retriesUsed }: Pick<DeliveryAttempt, 'retriesUsed'>,
  endedAt: Date,
  { retryAsked, endpoint }: Meanwhile,
): NextState {
  const delay = retryAsked ? 0 : form.delivery.retryDelaysMs[retriesUsed];
  if (delay === undefined || endpoint === null) {
    return { status: 'failed', nextAttemptAt: null, retriesUsed, trigger: 'schedule' };
  }
  const next = retryAsked
    ? ({ retriesUsed: 0, trigger: 'manual' } as const)
    : ({ retriesUsed: retriesUsed + 1, trigger: 'schedule' } as const);
  if (endpoint !== 'active') return { status: 'paused', nextAttemptAt: null, ...next };
  return { status: 'pending', nextAttemptAt: new Date(endedAt.getTime() + delay), ...next };
}
