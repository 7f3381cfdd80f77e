import type { ReceiverKey } from './receivers.ts';

/** A receiver that has something due. */
export interface DueReceiver extends ReceiverKey {
  /** Whether it answered its last attempt in time; null if none has ended yet. */
  prompt: boolean | null;
}

/** Deliveries that hold a place: claimed and waiting in the queue, or being sent by a dispatcher that is alive. */
export interface InFlightDeliveries extends DueReceiver {
  count: number;
}

/** What may not have another place now, whatever becomes due. */
export interface Blocked {
  /** Accounts, whichever of their receivers. */
  accountIds: string[];
  /** Accounts, where a receiver is new. */
  newOf: string[];
  /** All receivers that are new. */
  allNew: boolean;
  /** All receivers that did not answer in time. */
  allSlow: boolean;
}

/** How places are shared out; the rules are the dispatcher's. */
export interface SlotRules {
  blocked(places: number, inFlight: readonly InFlightDeliveries[]): Blocked;
  /** How many deliveries of each due receiver get a place, in the order given, and whether it then holds all it may. */
  share(
    places: number,
    inFlight: readonly InFlightDeliveries[],
    due: readonly DueReceiver[],
  ): { places: number; atLimit: boolean }[];
}

/** Deliveries to one receiver (an account's host) at once: enough for 3,000 a second where each takes 10 ms. */
const perReceiver = 32;

/**
 * The same for a receiver that did not answer its last attempt in time, or has not been tried: it may hold a place for the
 * whole time-out. Two, so that one lost answer does not stop it.
 */
const perUnproven = 2;

/** Of all places an account may hold so much, however many hosts it has. */
const shareOfAccount = 1 / 4;

/** Of all places receivers that did not answer in time may hold so much together. */
const shareOfSlow = 1 / 4;

/** Of all places receivers that have not been tried may hold so much together: they never wait for the slow ones. */
const shareOfNew = 1 / 4;

/** And those of one account so much: a name server that makes up hosts is nobody else's problem. */
const shareOfNewOfAccount = 1 / 64;

/**
 * Shares out the places so that nobody waits for somebody else's receiver: neither for one that hangs, nor for many that
 * do, nor behind a backlog. Half of the places are always there for receivers that answer. Pure: the rules as numbers
 * above, and this arithmetic.
 */
export const slotRules: SlotRules = {
  blocked(places, inFlight) {
    const held = new Held(places, inFlight);
    const accountIds = [...held.accounts.keys()];
    return {
      accountIds: accountIds.filter((id) => !held.hasRoomOfAccount(id)),
      newOf: accountIds.filter((id) => !held.hasRoomForNewOf(id)),
      allNew: !held.hasRoomForNew(),
      allSlow: !held.hasRoomForSlow(),
    };
  },

  share(places, inFlight, due) {
    const held = new Held(places, inFlight);
    const shares = due.map((receiver) => ({
      receiver,
      limit: receiver.prompt ? perReceiver : perUnproven,
      before: held.byReceiver.get(keyOf(receiver)) ?? 0,
      places: 0,
    }));
    // Who holds least comes first: the one place that is free goes to a newcomer rather than to another host of many.
    const heldBefore = new Map(due.map(({ accountId }) => [accountId, held.accounts.get(accountId)?.all ?? 0]));
    const inTurn = [...shares].sort(
      (one, other) => (heldBefore.get(one.receiver.accountId) ?? 0) - (heldBefore.get(other.receiver.accountId) ?? 0),
    );
    // One place each in turn: with little room everybody gets some of it.
    for (let given = true; given; ) {
      given = false;
      for (const share of inTurn) {
        if (share.before + share.places >= share.limit || !held.hasRoomFor(share.receiver)) continue;
        share.places += 1;
        held.add(share.receiver, 1);
        given = true;
      }
    }
    return shares.map(({ limit, before, places: own }) => ({ places: own, atLimit: before + own >= limit }));
  },
};

/** No host has a space in it. */
const keyOf = ({ accountId, host }: Pick<DueReceiver, 'accountId' | 'host'>) => `${accountId} ${host}`;

/** Who holds how many places, and whether there is room for one more. */
class Held {
  readonly accounts = new Map<string, { all: number; new: number }>();
  readonly byReceiver = new Map<string, number>();
  readonly #places: number;
  #all = 0;
  #new = 0;
  #slow = 0;

  constructor(places: number, inFlight: readonly InFlightDeliveries[]) {
    this.#places = places;
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
    if (this.#all >= this.#places || !this.hasRoomOfAccount(accountId)) return false;
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
    return Math.max(1, Math.floor(this.#places * part));
  }
}
