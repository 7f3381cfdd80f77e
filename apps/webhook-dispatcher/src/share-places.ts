import type { DueReceiver, InFlightDeliveries, PlaceRules } from '@capture/database/claim-deliveries';

/** Deliveries to one receiver (an account's host) at once: enough for 3,000 a second where each takes 10 ms. */
const perReceiver = 32;

/**
 * The same for a receiver that did not answer its last attempt in time, or none yet: it holds a place for up to the whole
 * time-out. Two, so that one lost answer does not stop it.
 */
const perUnproven = 2;

/** Of all places an account may hold so much, however many hosts it has. */
const shareOfAccount = 1 / 4;

/** Of all places those receivers may hold so much together: the others are always there for receivers that answer. */
const shareOfUnproven = 1 / 2;

/**
 * Shares out the places so that nobody waits for somebody else's receiver: neither for one that hangs, nor for many that
 * do, nor behind a backlog. Pure: the rules as numbers above, and this arithmetic.
 */
export const placeRules: PlaceRules = {
  blocked(places, inFlight) {
    const held = sumUp(inFlight);
    return {
      accountIds: [...held.byAccount].filter(([, count]) => count >= accountLimit(places)).map(([id]) => id),
      unproven: held.unproven >= unprovenLimit(places),
    };
  },

  share(places, inFlight, due) {
    const held = sumUp(inFlight);
    const shares = due.map((receiver) => ({
      receiver,
      limit: receiver.prompt ? perReceiver : perUnproven,
      before: held.byReceiver.get(keyOf(receiver)) ?? 0,
      places: 0,
    }));
    // One place each in turn: with little room everybody gets some of it.
    for (let given = true; given && held.all < places; ) {
      given = false;
      for (const share of shares) {
        const { receiver, limit, before } = share;
        const ofAccount = held.byAccount.get(receiver.accountId) ?? 0;
        if (held.all >= places || before + share.places >= limit || ofAccount >= accountLimit(places)) continue;
        if (!receiver.prompt && held.unproven >= unprovenLimit(places)) continue;
        share.places += 1;
        held.all += 1;
        held.byAccount.set(receiver.accountId, ofAccount + 1);
        if (!receiver.prompt) held.unproven += 1;
        given = true;
      }
    }
    return shares.map(({ limit, before, places }) => ({ places, atLimit: before + places >= limit }));
  },
};

const accountLimit = (places: number) => Math.max(1, Math.floor(places * shareOfAccount));
const unprovenLimit = (places: number) => Math.max(1, Math.floor(places * shareOfUnproven));

/** No host has a space in it. */
const keyOf = ({ accountId, host }: Pick<DueReceiver, 'accountId' | 'host'>) => `${accountId} ${host}`;

function sumUp(inFlight: readonly InFlightDeliveries[]) {
  const held = { all: 0, unproven: 0, byAccount: new Map<string, number>(), byReceiver: new Map<string, number>() };
  for (const receiver of inFlight) {
    const { accountId, prompt, count } = receiver;
    held.all += count;
    if (!prompt) held.unproven += count;
    held.byAccount.set(accountId, (held.byAccount.get(accountId) ?? 0) + count);
    held.byReceiver.set(keyOf(receiver), count);
  }
  return held;
}
