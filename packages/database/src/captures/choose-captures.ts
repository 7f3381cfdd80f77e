import type { InFlight, Waiting } from './schedule-captures.ts';

/**
 * The part of the pages that one account may have in flight, whatever its plan: if all of its pages hang, somebody else
 * still finds one. A single page cannot be shared.
 */
const accountShare = 3 / 4;

/** The part of the places that only batch items take while any wait. */
const batchShare = 1 / 4;

/** How many captures may be in flight (queued in Redis or being rendered) for a number of pages: one and a half rounds. */
export function windowOf(pages: number): number {
  return pages + Math.max(1, Math.ceil(pages / 2));
}

/** How many captures of one account may be in flight, of which its plan has `concurrency`. */
export function placesOf(pages: number, concurrency: number): number {
  return Math.min(concurrency, Math.max(1, Math.floor(pages * accountShare)));
}

/**
 * Which captures go into the queue next: the fairness of the platform, as a pure function.
 *
 * The queue holds little more than the pages can take, so that whoever comes later is not behind everybody who came
 * before. Accounts take turns; single captures go before batch items, and an account's batches take turns. A quarter of
 * the places is always open to batch items, however many single captures there are.
 *
 * @returns the ids to enqueue, in order.
 */
export function chooseCaptures(pages: number, inFlight: readonly InFlight[], waiting: readonly Waiting[]): string[] {
  const window = windowOf(pages);
  const held = new Map<string, number>();
  let batchItems = 0;
  for (const { accountId, batchId } of inFlight) {
    held.set(accountId, (held.get(accountId) ?? 0) + 1);
    if (batchId !== null) batchItems += 1;
  }
  const batchSlots = Math.ceil(window * batchShare);
  const heldBy = (account: Candidate) => held.get(account.accountId) ?? 0;

  const candidates = waiting.map((account) => new Candidate(account));
  const chosen: string[] = [];
  while (inFlight.length + chosen.length < window) {
    const open = candidates.filter((account) => heldBy(account) < placesOf(pages, account.concurrency));
    const withSingles = open.filter((account) => account.hasSingles);
    const withItems = open.filter((account) => account.hasItems);
    const singlesFlying = inFlight.length + chosen.length - batchItems;
    const takeItem =
      withItems.length > 0 &&
      (withSingles.length === 0 || batchItems < batchSlots || singlesFlying >= window - batchSlots);
    const from = takeItem ? withItems : withSingles;
    const next = from.toSorted((a, b) => heldBy(a) - heldBy(b) || a.lastFedAt - b.lastFedAt)[0];
    if (!next) break;
    // Later than any time before, so that within this call too the turn goes round.
    const at = Number.MAX_SAFE_INTEGER - window + chosen.length;
    chosen.push(takeItem ? next.takeItem(at) : next.takeSingle(at));
    held.set(next.accountId, heldBy(next) + 1);
    if (takeItem) batchItems += 1;
  }
  return chosen;
}

/** What of one account is still to be chosen from, and whose turn it is in it. */
class Candidate {
  readonly accountId: string;
  readonly concurrency: number;
  lastFedAt: number;
  readonly #singles: string[];
  readonly #batches: { lastFedAt: number; items: string[] }[];

  constructor(account: Waiting) {
    this.accountId = account.accountId;
    this.concurrency = account.concurrency;
    this.lastFedAt = account.lastFedAt;
    this.#singles = [...account.singles];
    this.#batches = account.batches.map(({ lastFedAt, items }) => ({ lastFedAt, items: [...items] }));
  }

  get hasSingles(): boolean {
    return this.#singles.length > 0;
  }

  get hasItems(): boolean {
    return this.#batches.some((batch) => batch.items.length > 0);
  }

  takeSingle(at: number): string {
    this.lastFedAt = at;
    return this.#singles.shift() as string;
  }

  takeItem(at: number): string {
    this.lastFedAt = at;
    const withItems = this.#batches.filter((batch) => batch.items.length > 0);
    const batch = withItems.reduce((first, other) => (other.lastFedAt < first.lastFedAt ? other : first));
    batch.lastFedAt = at;
    return batch.items.shift() as string;
  }
}
