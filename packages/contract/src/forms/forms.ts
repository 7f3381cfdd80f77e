/**
 * The two published forms of the contract, as data. A deployment serves the form that `CONTRACT_FORM` names. Each difference is a
 * field of this record, and one module reads each field (named below). The numbers are published: change them only if the
 * published contract changes.
 */

export type FormName = 'A' | 'B';

/** The limits of a plan. `null` means "unlimited". */
export interface Plan {
  /** Captures per month (UTC). */
  monthlyLimit: number | null;
  /** Requests per second: the refill of the token bucket. */
  perSecond: number | null;
  /** The requests beyond one second's that an idle account may send at once: the bucket holds `perSecond + burst`. */
  burst: number;
  /** Days after which a capture's file is removed. */
  fileRetentionDays: number;
  /** The most captures of an account that are rendered at once. The contract does not state it. */
  concurrency: number;
}

/** The events that receivers can get. */
export type EventName = 'capture.completed' | 'capture.failed' | 'batch.completed' | 'batch.progress';

/** The fields of `capture.completed` that only one form has. */
export type CompletedField = 'duration_ms' | 'file_url' | 'expires_at';

export interface ContractForm {
  name: FormName;
  /** The published plans by name, then the operator's plans (`PLANS_FILE`). Read by `admit`. */
  plans: Readonly<Record<string, Plan>>;
  /** The plan of new accounts: `free` unless the operator chose another plan (`DEFAULT_PLAN`). */
  newAccountPlan: string;
  headers: {
    /** Whether `X-RateLimit-Reset` (a date) is sent. */
    rateLimitReset: boolean;
    /** Whether `X-RateLimit-RetryAfter` is on every response or only on a 429. */
    retryAfter: 'always' | 'when limited';
  };
  events: {
    /** The events that are recorded, and that an endpoint can subscribe to. Read by `receiversOfEvent`, `webhook-requests.ts`. */
    names: readonly EventName[];
    /** The fields of `capture.completed` that only this form has. Read by `events.ts`. */
    completedFields: readonly CompletedField[];
    /** Whether a completed item in `batch.completed` contains `file_url`. */
    batchResultFileUrl: boolean;
  };
  signature: {
    /** The text before the 64 hex digits in `X-Service-Signature`. Read by `signatures.ts`. */
    prefix: 'sha256=' | '';
  };
  delivery: {
    /** The timeout of one attempt, milliseconds. */
    timeoutMs: number;
    /** The milliseconds from the end of an attempt to the next; the length is the number of retries. */
    retryDelaysMs: readonly number[];
    /** Whether `WEBHOOK_RETRY_DELAYS` and `WEBHOOK_TIMEOUT_MS` may change these times, for tests of a receiver. */
    adjustable: boolean;
    /** Whether an attempt without a recorded outcome (its dispatcher died) is sent again or counts as lost. */
    lostAttempt: 'send again' | 'drop';
    /** Whether deliveries and their attempts are kept after the last attempt. */
    history: boolean;
  };
  webhooks: {
    /** Whether clients register endpoints; if not, `POST /api/v1/webhooks` is the connectivity test. */
    registration: boolean;
    /** Whether an account reads and rotates its signing secret; if not, only the operator issues one. */
    ownSigningSecret: boolean;
  };
  errors: {
    /** The code of a page that could not be reached (DNS, connection, TLS). */
    unreachable: 'URL_UNREACHABLE' | 'NAVIGATION_FAILED';
    /** Returns the public text of that error, from the reason (such as `its name could not be resolved`). */
    unreachableMessage(reason: string): string;
  };
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const formA: ContractForm = {
  name: 'A',
  plans: {
    free: { monthlyLimit: 50, perSecond: 1, burst: 5, fileRetentionDays: 7, concurrency: 2 },
    pro: { monthlyLimit: 2_000, perSecond: 5, burst: 200, fileRetentionDays: 30, concurrency: 10 },
    business: { monthlyLimit: 10_000, perSecond: 10, burst: 1_000, fileRetentionDays: 30, concurrency: 20 },
    enterprise: { monthlyLimit: null, perSecond: null, burst: 0, fileRetentionDays: 90, concurrency: 50 },
  },
  newAccountPlan: 'free',
  headers: { rateLimitReset: true, retryAfter: 'always' },
  events: {
    names: ['capture.completed', 'capture.failed', 'batch.completed'],
    completedFields: ['duration_ms'],
    batchResultFileUrl: false,
  },
  signature: { prefix: 'sha256=' },
  delivery: {
    timeoutMs: 10 * second,
    retryDelaysMs: [],
    adjustable: false,
    lostAttempt: 'drop',
    history: false,
  },
  webhooks: { registration: false, ownSigningSecret: false },
  errors: {
    unreachable: 'URL_UNREACHABLE',
    unreachableMessage: (reason) =>
      `The URL could not be reached: ${reason}. Check that it is valid and publicly accessible.`,
  },
};

const formB: ContractForm = {
  name: 'B',
  plans: {
    free: { monthlyLimit: 200, perSecond: 1, burst: 0, fileRetentionDays: 7, concurrency: 2 },
    starter: { monthlyLimit: 2_000, perSecond: 5, burst: 0, fileRetentionDays: 14, concurrency: 5 },
    pro: { monthlyLimit: 15_000, perSecond: 10, burst: 0, fileRetentionDays: 30, concurrency: 10 },
    business: { monthlyLimit: 50_000, perSecond: 20, burst: 0, fileRetentionDays: 30, concurrency: 20 },
    enterprise: { monthlyLimit: 999_999, perSecond: 20, burst: 0, fileRetentionDays: 90, concurrency: 50 },
  },
  newAccountPlan: 'free',
  headers: { rateLimitReset: false, retryAfter: 'when limited' },
  events: {
    names: ['capture.completed', 'capture.failed', 'batch.completed', 'batch.progress'],
    completedFields: ['file_url', 'expires_at'],
    batchResultFileUrl: true,
  },
  signature: { prefix: '' },
  delivery: {
    timeoutMs: 30 * second,
    retryDelaysMs: [30 * second, 2 * minute, 10 * minute, hour, 4 * hour],
    adjustable: true,
    lostAttempt: 'send again',
    history: true,
  },
  webhooks: { registration: true, ownSigningSecret: true },
  errors: {
    unreachable: 'NAVIGATION_FAILED',
    unreachableMessage: (reason) => `Could not navigate to the URL: ${reason}.`,
  },
};

export const forms: Readonly<Record<FormName, ContractForm>> = { A: formA, B: formB };

/** The form of this deployment, with the operator's delivery times (milliseconds) if the form lets them be changed. */
export function contractForm(
  name: FormName,
  times: { retryDelaysMs?: number[]; timeoutMs?: number } = {},
): ContractForm {
  const form = forms[name];
  if (!form.delivery.adjustable) return form;
  return {
    ...form,
    delivery: {
      ...form.delivery,
      retryDelaysMs: times.retryDelaysMs ?? form.delivery.retryDelaysMs,
      timeoutMs: times.timeoutMs ?? form.delivery.timeoutMs,
    },
  };
}

/**
 * Returns a plan by its name. An account keeps the name of a plan that the operator removed from `PLANS_FILE`, and has the limits
 * of new accounts until it gets another plan. An error would stop the captures of all accounts.
 */
export function planOf(form: ContractForm, name: string): Plan {
  // The check ignores inherited names such as `constructor`.
  const known = Object.hasOwn(form.plans, name) ? name : form.newAccountPlan;
  const plan = form.plans[known];
  if (!plan) throw new Error(`contract form ${form.name} has no plan named ${JSON.stringify(known)}`);
  return plan;
}
