import type { ReceiverKey } from '@capture/database/deliveries/receivers';
import type { Blocked } from '@capture/database/deliveries/share-slots';
import type { Rests } from '@capture/runtime/rests';

/** What a failed attempt takes of a processor, here and in Postgres, to claim, send and record it, milliseconds. */
const attemptMs = 4;

/** How long the outcomes of attempts count, milliseconds: longer than any rest. */
const countsForMs = 30_000;

/** Receivers that a round of claims excludes one by one. Accounts with more, those with the most first, rest as a whole. */
const listedAtMost = 100;

/** When the last attempts of a receiver ended that failed and that succeeded. */
interface LastAttempts {
  failedAt: number;
  succeededAt: number;
}

/**
 * The receivers whose attempts in this process fail. While the machine has too few processors, failing attempts of an
 * account are bounded beside those of others: one whose receivers are down may replay its deliveries all the time. Its
 * other receivers do not wait, nor does one of which an attempt has just succeeded: a host may have several endpoints.
 */
export class FailingReceivers {
  readonly #rests: Rests;
  readonly #now: () => number;
  /** Of each account, its hosts of which attempts failed. What failed last is last. */
  readonly #failing = new Map<string, Map<string, LastAttempts>>();

  constructor(rests: Rests, now = () => performance.now()) {
    this.#rests = rests;
    this.#now = now;
  }

  /** Notes how an attempt ended. */
  note({ accountId, host }: ReceiverKey, failed: boolean): void {
    this.#rests.charge(accountId, failed ? attemptMs : 0);
    const hosts = this.#failing.get(accountId) ?? new Map<string, LastAttempts>();
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

  /** What is not claimed for now. */
  resting(): Pick<Blocked, 'accountIds' | 'receivers'> {
    this.#forget();
    const since = this.#now() - countsForMs;
    const ofAccounts = [...this.#failing]
      .filter(([accountId]) => this.#rests.restMs(accountId) > 0)
      .map(([accountId, hosts]) => ({
        accountId,
        hosts: [...hosts]
          .filter(([, last]) => last.failedAt > since && last.succeededAt <= since)
          .map(([host]) => host),
      }))
      // An account with many hosts must not bring the others to rest as a whole.
      .toSorted((one, other) => one.hosts.length - other.hosts.length);
    const resting: { accountIds: string[]; receivers: ReceiverKey[] } = { accountIds: [], receivers: [] };
    for (const { accountId, hosts } of ofAccounts) {
      if (resting.receivers.length + hosts.length > listedAtMost) resting.accountIds.push(accountId);
      else resting.receivers.push(...hosts.map((host) => ({ accountId, host })));
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
