import type { ReceiverKey } from '@capture/database/deliveries/receivers';
import type { Rests } from '@capture/runtime/rests';

/** What a failed attempt takes of a processor, here and in Postgres, to claim, send and record it, milliseconds. */
const attemptMs = 4;

/** How long the outcomes of attempts count, milliseconds: longer than any rest. */
const countsForMs = 30_000;

/** Receivers that a round of claims excludes one by one; the other accounts rest with all their receivers. */
const listedAtMost = 100;

/** What is not claimed for now. */
export interface RestingReceivers {
  /** Accounts, with all their receivers. */
  accountIds: string[];
  receivers: ReceiverKey[];
}

/**
 * The receivers whose attempts in this process fail. While the machine has too few processors, failing attempts of an
 * account are bounded beside those of others: one whose receivers are down may replay its deliveries all the time. Its
 * other receivers do not wait, nor does one of which an attempt has just succeeded: a host may have several endpoints.
 */
export class FailingReceivers {
  readonly #rests: Rests;
  readonly #now: () => number;
  /** Of each account, its hosts of which attempts failed, and when the last ones ended. What failed last is last. */
  readonly #failing = new Map<string, Map<string, { failedAt: number; succeededAt: number }>>();

  constructor(rests: Rests, now = () => performance.now()) {
    this.#rests = rests;
    this.#now = now;
  }

  /** Notes how an attempt ended. */
  note({ accountId, host }: ReceiverKey, failed: boolean): void {
    this.#rests.charge(accountId, failed ? attemptMs : 0);
    const hosts = this.#failing.get(accountId) ?? new Map<string, { failedAt: number; succeededAt: number }>();
    const known = hosts.get(host);
    if (failed) {
      hosts.delete(host);
      hosts.set(host, { failedAt: this.#now(), succeededAt: known?.succeededAt ?? -Infinity });
      // With one more than is listed there are too many.
      const [oldest] = hosts.keys();
      if (hosts.size > listedAtMost + 1 && oldest !== undefined) hosts.delete(oldest);
      this.#failing.delete(accountId);
      this.#failing.set(accountId, hosts);
    } else if (known) {
      known.succeededAt = this.#now();
    }
    this.#forget();
  }

  /** How many receivers rest, of those remembered. */
  get count(): number {
    const { accountIds, receivers } = this.resting();
    return accountIds.reduce((sum, id) => sum + (this.#failing.get(id)?.size ?? 0), receivers.length);
  }

  resting(): RestingReceivers {
    this.#forget();
    const resting: RestingReceivers = { accountIds: [], receivers: [] };
    for (const [accountId, hosts] of this.#failing) {
      if (this.#rests.restMs(accountId) === 0) continue;
      const since = this.#now() - countsForMs;
      const receivers = [...hosts]
        .filter(([, { failedAt, succeededAt }]) => failedAt > since && succeededAt <= since)
        .map(([host]) => ({ accountId, host }));
      if (resting.receivers.length + receivers.length > listedAtMost) resting.accountIds.push(accountId);
      else resting.receivers.push(...receivers);
    }
    return resting;
  }

  /** Forgets accounts without a recent failure: they are the first. */
  #forget(): void {
    const since = this.#now() - countsForMs;
    for (const [accountId, hosts] of this.#failing) {
      if (([...hosts.values()].at(-1)?.failedAt ?? 0) > since) return;
      this.#failing.delete(accountId);
    }
  }
}
