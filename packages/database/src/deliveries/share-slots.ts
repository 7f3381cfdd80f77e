import { nextInTurn } from '@capture/runtime/fair-share';
import type { ReceiverKey } from './receivers.ts';

/** A receiver with due deliveries. */
export interface DueReceiver extends ReceiverKey {
  /** Whether the receiver responded to its last attempt in time; null if no attempt has ended yet. */
  prompt: boolean | null;
}

/** The deliveries of a receiver that hold a slot: claimed and waiting in the queue, or being sent by a live dispatcher. */
export interface InFlightDeliveries extends DueReceiver {
  count: number;
}

/** The accounts and receivers that get no further slots now. */
export interface Blocked {
  /** The accounts whose receivers are all blocked. */
  accountIds: string[];
  /** The accounts whose new receivers are blocked. */
  newOf: string[];
  /** Whether all new receivers are blocked. */
  allNew: boolean;
  /** Whether all receivers that did not respond in time are blocked. */
  allSlow: boolean;
}

export const nothingBlocked: Blocked = { accountIds: [], newOf: [], allNew: false, allSlow: false };

/** Shares free slots among receivers. */
export interface SlotRules {
  blocked(slots: number, inFlight: readonly InFlightDeliveries[]): Blocked;
  /** Returns for each due receiver, in order, how many deliveries get a slot, and whether the receiver then holds all its slots. */
  share(
    slots: number,
    inFlight: readonly InFlightDeliveries[],
    due: readonly DueReceiver[],
  ): { slots: number; atLimit: boolean }[];
}

/** The most deliveries to one receiver (an account's host) at once: enough for 3,000 per second if each takes 10 ms. */
const perReceiver = 32;

/**
 * The limit for a receiver that did not respond to its last attempt in time or has not been tried, because it may hold a slot for
 * the whole timeout. With two slots one lost response does not stop the receiver.
 */
const perUnproven = 2;

/** The share of all slots that one account may hold, however many hosts it has. */
const shareOfAccount = 1 / 4;

/** The share of all slots that receivers that did not respond in time may hold together. */
const shareOfSlow = 1 / 4;

/** The share of all slots that untried receivers may hold together, so that they never wait for slow receivers. */
const shareOfNew = 1 / 4;

/** The share of all slots for one account's untried receivers, so that a name server that invents hosts harms no other account. */
const shareOfNewOfAccount = 1 / 64;

/**
 * Shares the slots so that no account waits for another account's receivers, whether these hang or have a backlog. Half of the
 * slots are always available to receivers that respond.
 */
export const slotRules: SlotRules = {
  blocked(slots, inFlight) {
    const held = new HeldSlots(slots, inFlight);
    const accountIds = [...held.accounts.keys()];
    return {
      accountIds: accountIds.filter((id) => !held.hasRoomOfAccount(id)),
      newOf: accountIds.filter((id) => !held.hasRoomForNewOf(id)),
      allNew: !held.hasRoomForNew(),
      allSlow: !held.hasRoomForSlow(),
    };
  },

  share(slots, inFlight, due) {
    const held = new HeldSlots(slots, inFlight);
    const shares = due.map((receiver) => ({
      receiver,
      limit: receiver.prompt ? perReceiver : perUnproven,
      before: held.byReceiver.get(keyOf(receiver)) ?? 0,
      slots: 0,
      lastTurn: 0,
    }));
    let open = shares;
    for (let turn = 1; ; turn += 1) {
      // Room never grows meanwhile.
      open = open.filter((each) => each.before + each.slots < each.limit && held.hasRoomFor(each.receiver));
      const next = nextInTurn(
        open,
        ({ receiver }) => held.accounts.get(receiver.accountId)?.all ?? 0,
        ({ lastTurn }) => lastTurn,
      );
      if (!next) break;
      next.slots += 1;
      next.lastTurn = turn;
      held.add(next.receiver, 1);
    }
    return shares.map(({ limit, before, slots: own }) => ({ slots: own, atLimit: before + own >= limit }));
  },
};

/** A receiver in one string: no host contains a space. */
const keyOf = ({ accountId, host }: Pick<DueReceiver, 'accountId' | 'host'>) => `${accountId} ${host}`;

/** Counts the slots that each account and receiver holds, and decides whether there is room for another. */
class HeldSlots {
  readonly accounts = new Map<string, { all: number; new: number }>();
  readonly byReceiver = new Map<string, number>();
  readonly #slots: number;
  #all = 0;
  #new = 0;
  #slow = 0;

  constructor(slots: number, inFlight: readonly InFlightDeliveries[]) {
    this.#slots = slots;
    for (const receiver of inFlight) {
      this.byReceiver.set(keyOf(receiver), receiver.count);
      this.add(receiver, receiver.count);
    }
  }

  add({ accountId, prompt }: DueReceiver, count: number): void {
    const account = this.accounts.get(accountId) ?? { all: 0, new: 0 };
    this.accounts.set(accountId, account);
    this.#all += count;
    account.all += count;
    if (prompt === false) this.#slow += count;
    if (prompt === null) {
      this.#new += count;
      account.new += count;
    }
  }

  hasRoomFor({ accountId, prompt }: DueReceiver): boolean {
    if (this.#all >= this.#slots || !this.hasRoomOfAccount(accountId)) return false;
    if (prompt === null) return this.hasRoomForNew() && this.hasRoomForNewOf(accountId);
    return prompt || this.hasRoomForSlow();
  }

  hasRoomOfAccount(id: string): boolean {
    return (this.accounts.get(id)?.all ?? 0) < this.#share(shareOfAccount);
  }

  hasRoomForNewOf(id: string): boolean {
    return (this.accounts.get(id)?.new ?? 0) < this.#share(shareOfNewOfAccount);
  }

  hasRoomForNew(): boolean {
    return this.#new < this.#share(shareOfNew);
  }

  hasRoomForSlow(): boolean {
    return this.#slow < this.#share(shareOfSlow);
  }

  #share(part: number): number {
    return Math.max(1, Math.floor(this.#slots * part));
  }
}
