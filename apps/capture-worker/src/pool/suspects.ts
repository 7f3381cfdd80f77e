import { setTimeout as sleep } from 'node:timers/promises';
import type { Deadline } from '../deadline.ts';
import { RecentAccounts } from './recent-accounts.ts';

/** How long an account is suspected, milliseconds, unless its pages have shown that they did nothing. */
const suspectedForMs = 10 * 60_000;

/** For how long suspicions of one account are counted, milliseconds. */
const countedForMs = 60 * 60_000;

/**
 * An account is cleared by as many captures alone as the times it was suspected, and by this many at most. So an account that
 * hides a page that blocks among others has it alone sooner or later.
 */
const capturesAtMost = 5;

/** How long a capture waits while another one of its account is alone, milliseconds: most take 1 to 3 s. */
const waitsForMs = 3_000;

interface Suspicion {
  at: number;
  times: number;
  /** Captures that must be completed alone. */
  captures: number;
}

/** A capture whose page is alone. */
interface Alone {
  capture: object;
  ended: Promise<void>;
}

/**
 * The accounts of which a page may have blocked all drawing: all that used one when drawing became blocked. Their next captures
 * are alone, one at a time, which shows whose page it was.
 */
export class Suspects {
  readonly #accounts = new RecentAccounts<Suspicion>();
  readonly #alone = new Map<string, Alone>();
  readonly #now: () => number;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Notes that a page of the account, or one beside it, has blocked all drawing. */
  note(accountId: string): void {
    const now = this.#now();
    const before = this.#accounts.get(accountId);
    const times = before && now - before.at < countedForMs ? before.times + 1 : 1;
    this.#accounts.set(accountId, { at: now, times, captures: Math.min(times, capturesAtMost) });
  }

  /** Notes that a capture of the account was completed alone, and blocked nothing. */
  completedAlone(accountId: string): void {
    const suspicion = this.#accounts.get(accountId);
    if (suspicion) suspicion.captures -= 1;
  }

  forget(accountId: string): void {
    this.#accounts.delete(accountId);
  }

  /**
   * Whether the next page of a capture must be alone. While another capture of the account is, it waits until that has ended or
   * has taken long.
   *
   * @returns null if it need not; otherwise a function to call when its page is gone.
   */
  async enter(accountId: string, capture: object, deadline: Deadline): Promise<(() => void) | null> {
    while (this.#isSuspected(accountId)) {
      const other = this.#alone.get(accountId);
      if (!other || other.capture === capture || deadline.passed) return this.begin(accountId, capture);
      const waiting = sleep(Math.min(waitsForMs, deadline.remainingMs()), undefined, { ref: false });
      await Promise.race([other.ended, waiting]);
      if (this.#alone.get(accountId) === other) return this.begin(accountId, capture);
    }
    return null;
  }

  /** Notes that a page of a capture is alone. @returns a function to call when it is gone. */
  begin(accountId: string, capture: object): () => void {
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const alone = { capture, ended };
    this.#alone.set(accountId, alone);
    return () => {
      if (this.#alone.get(accountId) === alone) this.#alone.delete(accountId);
      end();
    };
  }

  #isSuspected(accountId: string): boolean {
    const suspicion = this.#accounts.get(accountId);
    return suspicion !== undefined && suspicion.captures > 0 && this.#now() - suspicion.at < suspectedForMs;
  }
}
