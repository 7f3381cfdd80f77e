import type { ContractForm } from '@capture/contract/forms/forms';
import type { DeliveryAttempt } from './begin-attempt.ts';

export interface AttemptOutcome {
  startedAt: Date;
  endedAt: Date;
  /** The receiver's HTTP status, if it answered. */
  status: number | null;
  /** One of the contract's words, or null for a 2xx. */
  error: string | null;
  /** The beginning of what the receiver answered. */
  responseExcerpt: string | null;
}

export type DeliveryState = 'delivered' | 'pending' | 'failed' | 'paused';

export interface RecordedAttempt {
  /** The delivery's new state. */
  state: DeliveryState;
  /** Whether its receiver has waited for the place that is free now. */
  receiverDue: boolean;
}

/** What became of a delivery while its attempt was under way. */
export interface Meanwhile {
  /** A retry was asked for. */
  retryAsked: boolean;
  /** The registered endpoint's status; null if it has been deleted. For the URL of a request `active`. */
  endpoint: string | null;
}

export interface NextState {
  status: DeliveryState;
  /** Null unless `pending`. */
  nextAttemptAt: Date | null;
  /** How much of the schedule is used up then. */
  retriesUsed: number;
  trigger: 'schedule' | 'manual';
}

/**
 * What a failed attempt leads to by the form's schedule. A retry's delay runs from the end of the attempt before it; one
 * that was asked for follows at once, with a fresh schedule.
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
