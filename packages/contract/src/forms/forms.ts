/**
 * The two published forms of the contract, as data. A deployment serves one of them, chosen by `CONTRACT_FORM`; what
 * differs is a field of this record and is read by one interpreter each (named below). The numbers are the published
 * ones: change nothing here unless the published contract changes.
 */

export type FormName = 'A' | 'B';

/** What a plan allows. `null` stands for "unlimited". */
export interface Plan {
  /** Captures a month (UTC). */
  monthlyLimit: number | null;
  /** Requests a second: the refill of the token bucket. */
  perSecond: number | null;
  /** Requests beyond one second's that an idle account may send at once: the bucket holds `perSecond + burst`. */
  burst: number;
  /** Days after which a capture's file is removed. */
  fileRetentionDays: number;
  /** Captures of this plan that may be rendered at once, as far as the workers' pages and other accounts allow. Ours. */
  concurrency: number;
}

/** The events that receivers can get. */
export type EventName = 'capture.completed' | 'capture.failed' | 'batch.completed' | 'batch.progress';

/** Fields of `capture.completed` that only one form has. */
export type CompletedField = 'duration_ms' | 'file_url' | 'expires_at';

export interface ContractForm {
  name: FormName;
  /** The plans by name, and after them the operator's own (`PLANS_FILE`). Read by `admit`. */
  plans: Readonly<Record<string, Plan>>;
  /** The plan of new accounts: `free` unless the operator chose another (`DEFAULT_PLAN`). */
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
    /** Fields of `capture.completed` that only this form has. Read by `events.ts`. */
    completedFields: readonly CompletedField[];
    /** Whether a completed item in `batch.completed` carries `file_url`. */
    batchResultFileUrl: boolean;
  };
  signature: {
    /** What stands before the 64 hex digits in `X-Service-Signature`. Read by `signatures.ts`. */
    prefix: 'sha256=' | '';
  };
  delivery: {
    /** How long a receiver may take for one attempt, milliseconds. */
    timeoutMs: number;
    /** Milliseconds from the end of an attempt to the next; its length is the number of retries. */
    retryDelaysMs: readonly number[];
    /** Whether `WEBHOOK_RETRY_DELAYS` and `WEBHOOK_TIMEOUT_MS` may change these times for trying things out. */
    adjustable: boolean;
    /** An attempt without a recorded outcome (its dispatcher died): retried, or counted as lost. */
    lostAttempt: 'send again' | 'drop';
    /** Whether deliveries and their attempts are kept after the last attempt. */
    history: boolean;
  };
  webhooks: {
    /** Whether clients register endpoints; if not, `POST /api/v1/webhooks` is the connectivity test. */
    registration: boolean;
    /** Whether an account reads and rotates its own signing secret; if not, only the operator issues one. */
    ownSigningSecret: boolean;
  };
  errors: {
    /** The code of a page that could not be reached (DNS, connection, TLS). */
    unreachable: 'URL_UNREACHABLE' | 'NAVIGATION_FAILED';
    /** The public text of that error, from the reason (such as `its name could not be resolved`). */
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

/**
 * The form of this deployment, with the delivery times that an operator set for trying things out, where the form
 * lets them be changed. All times are in milliseconds.
 */
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
 * A plan by its name. An account keeps the name of a plan that the operator removed from `PLANS_FILE`; until it gets another
 * one, it has the limits of new accounts. An error would stop the captures of all accounts.
 */
export function planOf(form: ContractForm, name: string): Plan {
  // Own names only: `constructor` is a property of every object.
  const known = Object.hasOwn(form.plans, name) ? name : form.newAccountPlan;
  const plan = form.plans[known];
  if (!plan) throw new Error(`contract form ${form.name} has no plan named ${JSON.stringify(known)}`);
  return plan;
}
