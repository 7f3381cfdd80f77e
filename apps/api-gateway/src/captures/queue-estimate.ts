import { type ContractForm, planOf } from '@capture/contract/forms/forms';
import { slotsOf } from '@capture/database/captures/choose-captures';
import { type QueueState, readQueueState } from '@capture/database/captures/read-queue-state';
import type { Queryable } from '@capture/database/database';
import { coalesce } from '@capture/runtime/coalesce';

/** How long what was read of the queue is good for, milliseconds. */
const freshMs = 500;

/** What a capture takes when none has ended lately, milliseconds: an ordinary page. */
const usualDurationMs = 1_500;

/** What a capture that comes in now has before it. */
export interface Outlook {
  /** Captures that are taken before it, if nothing else comes in. */
  position: number;
  /** Milliseconds until a worker takes it, from what the last captures took; null while there is no worker. */
  waitMs: number | null;
  /** Milliseconds until it is likely to have ended. */
  etaMs: number | null;
}

/** Tells captures how long their turn will take to come, from one look at the queue twice a second at most. */
export class QueueEstimate {
  readonly #form: ContractForm;
  readonly #refresh: () => Promise<void>;
  #state: QueueState | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  /** Captures that came in since that look, by account. */
  #cameIn = new Map<string, number>();

  constructor(database: Queryable, form: ContractForm) {
    this.#form = form;
    this.#refresh = coalesce(async () => {
      this.#state = await readQueueState(database);
      this.#readAt = performance.now();
      this.#cameIn = new Map();
    });
  }

  /** The outlook of an account's next single capture. */
  async next(accountId: string): Promise<Outlook> {
    if (performance.now() - this.#readAt > freshMs) await this.#refresh();
    if (!this.#state) throw new Error('the state of the queue was never read');
    return estimateOf(this.#form, this.#state, accountId, this.#cameIn);
  }

  /** A capture of this account was recorded. */
  note(accountId: string): void {
    this.#cameIn.set(accountId, (this.#cameIn.get(accountId) ?? 0) + 1);
  }
}

/**
 * Accounts take turns, so before an account's nth capture there are at most n of every other account; batch items take a
 * quarter of the places while any wait. It begins when a page is free for it, and one of the places that its account may
 * hold: the later of the two.
 *
 * An account that holds all the places it may is passed by whoever comes now. If its pages hang, the pages that are left
 * are free sooner than what captures took lately says: the sooner of the two counts.
 */
export function estimateOf(
  form: ContractForm,
  state: QueueState,
  accountId: string,
  cameIn: ReadonlyMap<string, number> = new Map(),
): Outlook {
  const { accounts, enqueued, itemsWait, pages } = state;
  const slotsOfPlan = (plan: string) => slotsOf(pages, planOf(form, plan).concurrency);
  const waitingOf = (account: string) => (accounts.get(account)?.waiting ?? 0) + (cameIn.get(account) ?? 0);
  const own = waitingOf(accountId);
  const passed = new Set<string>();
  let singles = own;
  let inFlight = 0;
  let heldByPassed = 0;
  for (const name of new Set([...accounts.keys(), ...cameIn.keys()])) {
    const account = accounts.get(name);
    inFlight += account?.inFlight ?? 0;
    if (name === accountId) continue;
    if (account && account.inFlight >= slotsOfPlan(account.plan)) {
      passed.add(name);
      heldByPassed += account.inFlight;
    } else singles += Math.min(waitingOf(name), own + 1);
  }
  const position = enqueued + singles + (itemsWait ? Math.floor(singles / 3) : 0);
  if (pages === 0) return { position, waitMs: null, etaMs: null };
  const before = position + (inFlight - enqueued);
  const duration = meanDurationMs(state, passed) ?? usualDurationMs;
  const waits = [
    roundsBefore(before, pages) * (meanDurationMs(state) ?? usualDurationMs),
    roundsBefore(before - heldByPassed, pages - heldByPassed) * duration,
  ];
  const account = accounts.get(accountId);
  const ownWait = account ? roundsBefore(own + account.inFlight, slotsOfPlan(account.plan)) * duration : 0;
  const waitMs = Math.ceil(Math.max(Math.min(...waits), ownWait));
  return { position, waitMs, etaMs: waitMs + Math.ceil(duration) };
}

/** What the last captures took, but for those of some accounts; null if there were none. */
function meanDurationMs({ ended }: QueueState, but: ReadonlySet<string> = new Set()): number | null {
  const counted = [...ended].filter(([account]) => !but.has(account)).map(([, each]) => each);
  const captures = counted.reduce((sum, each) => sum + each.captures, 0);
  return captures === 0 ? null : counted.reduce((sum, each) => sum + each.totalMs, 0) / captures;
}

/** How many times what a capture takes passes until one more has a place, where so many are before it. */
function roundsBefore(captures: number, places: number): number {
  return places > 0 ? Math.max(0, captures + 1 - places) / places : Number.POSITIVE_INFINITY;
}

/** Whole seconds that somebody is told to wait who cannot be served now, within bounds that a client can work with. */
export function retryAfterS(outlook: Outlook, patienceMs: number): number {
  const overMs = outlook.waitMs === null ? patienceMs : outlook.waitMs - patienceMs;
  return Math.min(300, Math.max(1, Math.ceil(overMs / 1_000)));
}
