import { type ContractForm, planOf } from '@capture/contract/forms/forms';
import { apartSlotsOf, itemSlotsOf, slotsOf } from '@capture/database/captures/choose-captures';
import { type AccountEstimate, type QueueState, readQueueState } from '@capture/database/captures/read-queue-state';
import type { Queryable } from '@capture/database/database';
import { coalesce } from '@capture/runtime/coalesce';

/** How long a reading of the queue is reused, milliseconds. */
const freshMs = 500;

/** How long the durations of earlier captures are used while readings find too few, milliseconds. */
const sampleKeptMs = 600_000;

/** A sample of this size replaces any earlier sample: one slow page in it counts a tenth. */
const enoughCaptures = 10;

/** Assumed duration when no capture has ended recently, milliseconds: an ordinary page. */
const defaultDurationMs = 1_500;

/** The queue estimate of a capture that is accepted now. */
export interface CaptureEstimate {
  /** Captures that start before this capture, if no further captures are accepted. */
  position: number;
  /** Milliseconds until a worker starts it, from the durations of recent captures; null without a worker. */
  waitMs: number | null;
  /** Milliseconds until it is likely to end. */
  etaMs: number | null;
}

/** Estimates queue positions and waiting times from the state of the queue, read at most twice a second. */
export class QueueEstimate {
  readonly #form: ContractForm;
  readonly #refresh: () => Promise<void>;
  #state: QueueState | undefined;
  /** The durations that estimates use, and when they were read. */
  #sample: { ended: QueueState['ended']; readAt: number } = { ended: new Map(), readAt: Number.NEGATIVE_INFINITY };
  #readAt = Number.NEGATIVE_INFINITY;
  /** Captures accepted since the last reading, by account. */
  #accepted = new Map<string, number>();

  constructor(database: Queryable, form: ContractForm) {
    this.#form = form;
    this.#refresh = coalesce(async () => {
      const state = await readQueueState(database);
      this.#readAt = performance.now();
      const isFresh = this.#readAt - this.#sample.readAt < sampleKeptMs;
      // After many cancellations a reading finds few rendered captures, or none: the earlier durations say more.
      if (!isFresh || capturesIn(state.ended) >= Math.min(enoughCaptures, capturesIn(this.#sample.ended))) {
        this.#sample = { ended: state.ended, readAt: this.#readAt };
      }
      this.#state = { ...state, ended: this.#sample.ended };
      this.#accepted = new Map();
    });
  }

  /** Estimates an account's next single capture. */
  async next(accountId: string): Promise<CaptureEstimate> {
    if (performance.now() - this.#readAt > freshMs) await this.#refresh();
    if (!this.#state) throw new Error('the state of the queue was never read');
    return estimateOf(this.#form, this.#state, accountId, this.#accepted);
  }

  /** Counts a newly recorded capture of this account. */
  note(accountId: string): void {
    this.#accepted.set(accountId, (this.#accepted.get(accountId) ?? 0) + 1);
  }
}

/**
 * Scheduling is round robin, so at most n captures of every other account start before an account's nth; batch items get a
 * quarter of the slots while any are waiting. A capture starts when a page is free and its account has a free slot,
 * whichever is later. An account that is apart has fewer slots while other accounts wait. While an account's batch runs, the
 * account has fewer slots for single captures, which do not wait for the batch.
 *
 * Other accounts overtake an account that uses all its slots. If the pages of that account hang, the remaining pages become
 * free sooner than the durations of recent captures suggest: the smaller estimate counts.
 */
export function estimateOf(
  form: ContractForm,
  state: QueueState,
  accountId: string,
  accepted: ReadonlyMap<string, number> = new Map(),
): CaptureEstimate {
  const { accounts, enqueued, itemsWait, pages } = state;
  const servesOthers = [...accounts.values()].some(({ isApart }) => !isApart);
  const slotsFor = ({ plan, isApart }: AccountEstimate) => {
    const { concurrency } = planOf(form, plan);
    return isApart && servesOthers ? apartSlotsOf(pages, concurrency) : slotsOf(pages, concurrency);
  };
  const waitingOf = (account: string) => (accounts.get(account)?.waiting ?? 0) + (accepted.get(account) ?? 0);
  const own = waitingOf(accountId);
  const passed = new Set<string>();
  let singles = own;
  let inFlight = 0;
  let heldByPassed = 0;
  for (const name of new Set([...accounts.keys(), ...accepted.keys()])) {
    const account = accounts.get(name);
    inFlight += account?.inFlight ?? 0;
    if (name === accountId) continue;
    if (account && account.inFlight >= slotsFor(account)) {
      passed.add(name);
      heldByPassed += account.inFlight;
    } else singles += Math.min(waitingOf(name), own + 1);
  }
  const account = accounts.get(accountId);
  const ahead = account ? aheadInAccount(account, slotsFor(account), own, itemsWait) : { items: 0, rounds: 0 };
  const itemsBefore = itemsWait ? Math.max(Math.floor(singles / 3), ahead.items) : 0;
  const position = enqueued + singles + itemsBefore;
  if (pages === 0) return { position, waitMs: null, etaMs: null };
  const before = position + (inFlight - enqueued);
  const duration = meanDurationMs(state, passed) ?? defaultDurationMs;
  const waits = [
    roundsBefore(before, pages) * (meanDurationMs(state) ?? defaultDurationMs),
    roundsBefore(before - heldByPassed, pages - heldByPassed) * duration,
  ];
  const waitMs = Math.ceil(Math.max(Math.min(...waits), ahead.rounds * duration));
  return { position, waitMs, etaMs: waitMs + Math.ceil(duration) };
}

/**
 * Counts what an account's slots run before its next single capture: the batch items that start before the capture, and the
 * number of capture durations until the capture has a slot. `own` single captures of the account already wait.
 */
function aheadInAccount(account: AccountEstimate, slots: number, own: number, itemsWait: boolean) {
  // While items of the account wait, at least one is in flight, unless the account has one slot only.
  const itemSlots = itemsWait && account.itemsInFlight > 0 ? itemSlotsOf(slots) : 0;
  const singleSlots = slots - itemSlots;
  const singlesInFlight = account.inFlight - account.itemsInFlight;
  return {
    items: Math.floor((own * itemSlots) / singleSlots),
    rounds: Math.max(roundsBefore(own + account.inFlight, slots), roundsBefore(own + singlesInFlight, singleSlots)),
  };
}

const capturesIn = (ended: QueueState['ended']) => [...ended.values()].reduce((sum, { captures }) => sum + captures, 0);

/** Mean duration of recent captures, except for some accounts; null if there were none. */
function meanDurationMs({ ended }: QueueState, excluded: ReadonlySet<string> = new Set()): number | null {
  const counted = [...ended].filter(([account]) => !excluded.has(account)).map(([, each]) => each);
  const captures = counted.reduce((sum, each) => sum + each.captures, 0);
  return captures === 0 ? null : counted.reduce((sum, each) => sum + each.totalMs, 0) / captures;
}

/** Number of capture durations until a slot is free when `captures` captures are ahead. */
function roundsBefore(captures: number, slots: number): number {
  return slots > 0 ? Math.max(0, captures + 1 - slots) / slots : Number.POSITIVE_INFINITY;
}

/** Seconds after which a rejected client should retry, between 1 and 300. */
export function retryAfterS(estimate: CaptureEstimate, patienceMs: number): number {
  const overMs = estimate.waitMs === null ? patienceMs : estimate.waitMs - patienceMs;
  return Math.min(300, Math.max(1, Math.ceil(overMs / 1_000)));
}
