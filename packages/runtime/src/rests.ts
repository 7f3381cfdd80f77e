import { readFileSync } from 'node:fs';
import type { Lifecycle } from './lifecycle.ts';

/** Bounds the work of each account while the machine has too few processors for all. */
export interface Rests {
  /** Counts work of the account. The account is present for a while, also if its work costs nothing. */
  charge(accountId: string, costMs: number): void;
  /** How long the account's next work must wait, milliseconds; ask again after `lookEveryMs`. 0 if it may start. */
  restMs(accountId: string): number;
}

/** Between two looks at how long the process waits, milliseconds. */
export const lookEveryMs = 100;

/**
 * There are too few processors when the main thread waits for one for more than this share of the time. On two cores it
 * waits for 1 to 3 % while pages are rendered, and for 20 to 40 % beside an account that sends as much as it can.
 */
const waitsAtMost = 0.05;

/** Over how long this share is averaged, milliseconds. */
const averagedOverMs = 500;

/**
 * What an account may use of a processor then, in this process and beside others. On a gateway 25 requests a second: more than
 * the rates of the published plans.
 */
const share = 0.1;

/** What it may use at once, and what it may owe at most: a batch of 1,000, and a rest of 5 s. */
const burstMs = 250;
const debtMs = 500;

/** How long an account counts as present after its last work, milliseconds. */
const presentForMs = 5_000;

interface Account {
  /** What it may use before it rests, and when that was right, milliseconds. Negative: it rests. */
  budgetMs: number;
  at: number;
  seenAt: number;
}

/**
 * Rests while this process waits for a processor. Work has fixed costs: what waits for a slow database costs no more.
 */
export class MeasuredRests implements Rests {
  readonly #accounts = new Map<string, Account>();
  readonly #readWaitedMs: () => number;
  readonly #now: () => number;
  #last: { at: number; waitedMs: number };
  /** The share of the time in which the main thread waits for a processor. */
  #waits = 0;
  #ended = false;

  /** @param readWaitedMs how long the main thread has waited for a processor so far, milliseconds. */
  constructor(readWaitedMs = readOwnWaitedMs, now = () => performance.now()) {
    this.#readWaitedMs = readWaitedMs;
    this.#now = now;
    this.#last = { at: now(), waitedMs: readWaitedMs() };
  }

  charge(accountId: string, costMs: number): void {
    const now = this.#now();
    const account = this.#accounts.get(accountId) ?? { budgetMs: burstMs, at: now, seenAt: now };
    this.#accounts.set(accountId, account);
    // What is done while processors are free delays no other account.
    const budgetMs = this.#budgetMs(account) - (this.#isBusy() ? costMs : 0);
    Object.assign(account, { budgetMs: Math.max(-debtMs, budgetMs), at: now, seenAt: now });
  }

  restMs(accountId: string): number {
    const account = this.#accounts.get(accountId);
    const budgetMs = account ? this.#budgetMs(account) : burstMs;
    return budgetMs < 0 && this.#isBusy() && this.#hasOther(accountId) ? -budgetMs / share : 0;
  }

  /** To be called every `lookEveryMs`. */
  look(): void {
    const last = this.#last;
    this.#last = { at: this.#now(), waitedMs: this.#readWaitedMs() };
    const elapsedMs = Math.max(1, this.#last.at - last.at);
    const waits = (this.#last.waitedMs - last.waitedMs) / elapsedMs;
    this.#waits += (waits - this.#waits) * Math.min(1, elapsedMs / averagedOverMs);
    for (const [accountId, account] of this.#accounts) {
      if (!this.#isPresent(account) && this.#budgetMs(account) === burstMs) this.#accounts.delete(accountId);
    }
  }

  /** From now on no account rests: what waits has to end with the process. */
  end(): void {
    this.#ended = true;
  }

  #isBusy(): boolean {
    return this.#waits > waitsAtMost && !this.#ended;
  }

  #budgetMs({ budgetMs, at }: Account): number {
    return Math.min(burstMs, budgetMs + (this.#now() - at) * share);
  }

  #hasOther(accountId: string): boolean {
    for (const [id, account] of this.#accounts) if (id !== accountId && this.#isPresent(account)) return true;
    return false;
  }

  #isPresent({ seenAt }: Account): boolean {
    return this.#now() - seenAt <= presentForMs;
  }
}

/** The rests of this process, which looks at its load until it closes. */
export function openRests(lifecycle: Lifecycle): MeasuredRests {
  const rests = new MeasuredRests();
  const looking = setInterval(() => rests.look(), lookEveryMs);
  lifecycle.closing('looking at the load', async () => clearInterval(looking));
  return rests;
}

/** How long this process's main thread has waited for a processor since its start. Only Linux says that; 0 elsewhere. */
export function readOwnWaitedMs(): number {
  try {
    // Of the main thread: nanoseconds on a processor, nanoseconds waiting for one, turns.
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6 || 0;
  } catch {
    return 0;
  }
}
