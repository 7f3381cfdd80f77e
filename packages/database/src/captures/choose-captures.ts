import { nextInTurn } from '@capture/runtime/fair-share';

/**
 * The share of the pages that one account may have in flight, whatever its plan. If all of its pages hang, other accounts still
 * find a page. A single page is not shared.
 */
const accountShare = 3 / 4;

/**
 * The share of the pages while other accounts are served, so that an account whose captures are all slow leaves as much to the
 * others. An account that had less in flight lately may have `accountShare` for a while, so that its short captures need not wait
 * for its long captures.
 */
const sharedShare = 1 / 2;

/**
 * The same of an account that is apart while other accounts are served that are not: its pages take processor
 * time from all other pages. All these accounts together have `sharedShare`.
 */
const apartShare = 1 / 4;

/**
 * The part of its share from which an account counts as using its share. An account whose captures follow one another uses a
 * little less, because nothing is in flight in between.
 */
const usesShareFrom = 0.95;

/**
 * The share of the slots that batch items take while single captures wait. It applies to all slots for the items of accounts
 * without waiting single captures, and to an account's slots for its items while its single captures wait.
 */
const batchShare = 1 / 4;

/** The waiting captures of one account. */
export interface WaitingAccount {
  accountId: string;
  /** The slots that the account's plan allows at once. */
  concurrency: number;
  /** When a capture of the account was last scheduled, as a sortable number; 0 means never. */
  lastScheduledAt: number;
  /** Whether the last scheduled capture was a batch item. */
  lastWasItem: boolean;
  /** The ids of the account's single captures, oldest first. */
  singles: readonly string[];
  batches: readonly { batchId: string; lastScheduledAt: number; items: readonly string[] }[];
}

/** A capture in the queue or being rendered. */
export interface InFlightCapture {
  accountId: string;
  /** The batch of the capture; null for a single capture. */
  batchId: string | null;
}

/** How many captures may be in flight (queued in Redis or being rendered) for a number of pages: one and a half rounds. */
export function windowOf(pages: number): number {
  return pages + Math.max(1, Math.ceil(pages / 2));
}

/** How many captures of one account may be in flight at most, when its plan allows `concurrency`. */
export function slotsOf(pages: number, concurrency: number): number {
  return Math.min(concurrency, Math.max(1, Math.floor(pages * accountShare)));
}

/**
 * How many captures of one account may be in flight on average while others are served. Rounded up, so that two accounts fill an
 * odd number of pages.
 */
export function shareOf(pages: number): number {
  return Math.ceil(pages * sharedShare);
}

/** How many captures of an account that is apart may be in flight beside other accounts. */
export function apartSlotsOf(pages: number, concurrency: number): number {
  return Math.min(concurrency, Math.max(1, Math.ceil(pages * apartShare)));
}

/**
 * How many slots of an account its batch items take while its single captures wait. With one slot, items and single captures take
 * turns, with half a slot each.
 */
export function itemSlotsOf(slots: number): number {
  return slots === 1 ? 1 / 2 : Math.max(1, Math.round(slots * batchShare));
}

/**
 * Chooses the captures to enqueue next. This pure function defines the fairness of the platform.
 *
 * The queue holds few more captures than there are pages, so that a new account does not wait behind all earlier captures.
 * Accounts take turns, and so do an account's batches. Single captures go before batch items. Neither kind starves: a quarter of
 * all slots is always open to accounts that have only batch items waiting, and a quarter of an account's slots to its batch
 * items, however many single captures wait.
 *
 * @param lately the average number of captures in flight, for accounts that had captures a moment ago. Their next captures find
 * room.
 * @param apart accounts whose pages have spoilt browsers. They have private browsers, and fewer slots.
 * @returns the ids to enqueue, in order, and the captures of each account in flight including these.
 */
export function chooseCaptures(
  pages: number,
  inFlight: readonly InFlightCapture[],
  waiting: readonly WaitingAccount[],
  lately: ReadonlyMap<string, number> = new Map(),
  apart: ReadonlySet<string> = new Set(),
): { chosen: string[]; inFlightOf: ReadonlyMap<string, number> } {
  const window = windowOf(pages);
  const held = countByAccount(inFlight);
  const heldItems = countByAccount(inFlight.filter(({ batchId }) => batchId !== null));
  const chosen: string[] = [];
  const batchSlots = Math.ceil(window * batchShare);
  const heldBy = ({ accountId }: Candidate) => held.get(accountId) ?? 0;
  const itemsOf = ({ accountId }: Candidate) => heldItems.get(accountId) ?? 0;

  const served = new Set([...lately.keys(), ...held.keys(), ...waiting.map(({ accountId }) => accountId)]);
  const share = shareOf(pages);
  const usesShare = (accountId: string) => (lately.get(accountId) ?? share) >= share * usesShareFrom;
  const servesOthers = [...served].some((accountId) => !apart.has(accountId));
  const isBounded = (accountId: string) => servesOthers && apart.has(accountId);
  const limitOf = ({ accountId, concurrency }: Candidate) => {
    if (served.size <= 1) return slotsOf(pages, concurrency);
    if (isBounded(accountId)) return apartSlotsOf(pages, concurrency);
    // Two accounts that hang with more than their shares leave a slot to a third one.
    const isLastSlot = inFlight.length + chosen.length >= window - 1;
    return usesShare(accountId) || isLastSlot ? Math.min(concurrency, share) : slotsOf(pages, concurrency);
  };
  const takesItem = (account: Candidate) => {
    if (!account.hasSingles || !account.hasItems) return account.hasItems;
    const limit = limitOf(account);
    return limit === 1 ? !account.lastWasItem : itemsOf(account) < itemSlotsOf(limit);
  };
  const nextOf = (accounts: readonly Candidate[]) => nextInTurn(accounts, heldBy, (account) => account.lastScheduledAt);
  const heldByBounded = () =>
    [...held].reduce((sum, [accountId, count]) => sum + (isBounded(accountId) ? count : 0), 0);
  const candidates = waiting.map((account) => new Candidate(account));
  /** Counts the items in flight of accounts without waiting single captures. */
  const batchItems = () => {
    const withSingles = new Set(candidates.filter((account) => account.hasSingles).map(({ accountId }) => accountId));
    return [...heldItems].reduce((sum, [accountId, items]) => sum + (withSingles.has(accountId) ? 0 : items), 0);
  };
  while (inFlight.length + chosen.length < window) {
    const below = candidates.filter(
      (account) => (account.hasSingles || account.hasItems) && heldBy(account) < limitOf(account),
    );
    // Those that are bounded together take turns, whatever they have waiting: the slots of single captures and of batch items
    // may be more than they have together.
    const bounded = nextOf(below.filter(({ accountId }) => isBounded(accountId)));
    const nextBounded = bounded && heldByBounded() < share ? [bounded] : [];
    const open = [...below.filter(({ accountId }) => !isBounded(accountId)), ...nextBounded];
    const withSingles = open.filter((account) => account.hasSingles);
    const onlyItems = open.filter((account) => !account.hasSingles && account.hasItems);
    const takesOnlyItems = onlyItems.length > 0 && (withSingles.length === 0 || batchItems() < batchSlots);
    const next = nextOf(takesOnlyItems ? onlyItems : withSingles);
    if (!next) break;
    // Later than any recorded time, so that accounts take turns within this call too.
    const at = Number.MAX_SAFE_INTEGER - window + chosen.length;
    const isItem = takesItem(next);
    chosen.push(isItem ? next.takeItem(at) : next.takeSingle(at));
    held.set(next.accountId, heldBy(next) + 1);
    if (isItem) heldItems.set(next.accountId, itemsOf(next) + 1);
  }
  return { chosen, inFlightOf: held };
}

function countByAccount(captures: readonly InFlightCapture[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { accountId } of captures) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
  return counts;
}

/** An account's remaining captures, and the order of its batches. */
class Candidate {
  readonly accountId: string;
  readonly concurrency: number;
  lastScheduledAt: number;
  lastWasItem: boolean;
  readonly #singles: string[];
  readonly #batches: { lastScheduledAt: number; items: string[] }[];

  constructor(account: WaitingAccount) {
    this.accountId = account.accountId;
    this.concurrency = account.concurrency;
    this.lastScheduledAt = account.lastScheduledAt;
    this.lastWasItem = account.lastWasItem;
    this.#singles = [...account.singles];
    this.#batches = account.batches.map(({ lastScheduledAt, items }) => ({ lastScheduledAt, items: [...items] }));
  }

  get hasSingles(): boolean {
    return this.#singles.length > 0;
  }

  get hasItems(): boolean {
    return this.#batches.some((batch) => batch.items.length > 0);
  }

  takeSingle(at: number): string {
    this.lastScheduledAt = at;
    this.lastWasItem = false;
    return this.#singles.shift() as string;
  }

  takeItem(at: number): string {
    this.lastScheduledAt = at;
    this.lastWasItem = true;
    const withItems = this.#batches.filter((batch) => batch.items.length > 0);
    // How many items of each batch are in flight does not matter: all of them are the account's.
    const batch = nextInTurn(
      withItems,
      () => 0,
      ({ lastScheduledAt }) => lastScheduledAt,
    );
    if (!batch) throw new Error(`no batch of ${this.accountId} has an item`);
    batch.lastScheduledAt = at;
    return batch.items.shift() as string;
  }
}
