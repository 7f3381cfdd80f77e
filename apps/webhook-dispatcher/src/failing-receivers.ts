import type { ReceiverKey } from '@capture/database/deliveries/receivers';
import type { Rests } from '@capture/runtime/rests';

/** What a failed attempt takes of a processor, here and in Postgres, to claim, send and record it, milliseconds. */
const attemptMs = 4;

/** Receivers remembered of one account; if more of them fail, all of the account's receivers rest. */
const ofAccountAtMost = 100;

/** Accounts remembered; the ones that failed first are forgotten. */
const accountsAtMost = 10_000;

/** What is not claimed for now. */
export interface RestingReceivers {
  /** Accounts, with all their receivers. */
  accountIds: string[];
  receivers: ReceiverKey[];
}

/**
 * The receivers whose last attempt here failed. While the machine has too few processors, the failing attempts of an account
 * are bounded, beside those of others: one whose receivers are down may replay its deliveries for ever. Its receivers that
 * respond do not wait, nor does one that responds again.
 */
export class FailingReceivers {
  readonly #rests: Rests;
  readonly #failing = new Map<string, Set<string>>();

  constructor(rests: Rests) {
    this.#rests = rests;
  }

  /** Notes how an attempt ended. */
  note({ accountId, host }: ReceiverKey, failed: boolean): void {
    this.#rests.charge(accountId, failed ? attemptMs : 0);
    const hosts = this.#failing.get(accountId) ?? new Set();
    if (!failed) hosts.delete(host);
    else if (hosts.size <= ofAccountAtMost) hosts.add(host);
    if (hosts.size === 0) this.#failing.delete(accountId);
    else this.#failing.set(accountId, hosts);
    const [first] = this.#failing.keys();
    if (this.#failing.size > accountsAtMost && first !== undefined) this.#failing.delete(first);
  }

  resting(): RestingReceivers {
    const resting = [...this.#failing].filter(([accountId]) => this.#rests.restMs(accountId) > 0);
    const isListed = ([, hosts]: [string, Set<string>]) => hosts.size <= ofAccountAtMost;
    return {
      accountIds: resting.filter((each) => !isListed(each)).map(([accountId]) => accountId),
      receivers: resting
        .filter(isListed)
        .flatMap(([accountId, hosts]) => [...hosts].map((host) => ({ accountId, host }))),
    };
  }
}
