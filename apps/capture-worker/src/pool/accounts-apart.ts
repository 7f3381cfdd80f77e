import { apartForS } from '@capture/database/captures/accounts-apart';

/** How long an account is apart after a cell has failed in which it had a page, milliseconds. */
const suspectedMs = 10 * 60_000;

/** The same at once again within this time, and after a fault that only its page can have caused, milliseconds. */
const knownMs = apartForS * 1_000;

/** Accounts that are remembered. More than this in an hour would be an attack by itself; the first is forgotten. */
const accountsAtMost = 10_000;

interface Apart {
  /** When a cell has failed last in which it had a page, as `performance.now()`. */
  at: number;
  until: number;
  isForLong: boolean;
}

/**
 * The accounts that are apart. When a cell fails, nothing says whose page has spoilt it, so every account that had a page there
 * is apart for some minutes. One that completes a capture alone is released; one that has a page in the next cell
 * that fails is apart for an hour.
 */
export class AccountsApart {
  /** The last is the latest. */
  readonly #accounts = new Map<string, Apart>();
  readonly #now: () => number;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Notes that a cell has failed in which the account had a page. Returns whether it is a repeat: it is apart for long then. */
  note(accountId: string): boolean {
    const now = this.#now();
    const last = this.#accounts.get(accountId);
    const isRepeat = last !== undefined && now - last.at < knownMs;
    if (isRepeat) this.noteForLong(accountId);
    else this.#set(accountId, { at: now, until: now + suspectedMs, isForLong: false });
    return isRepeat;
  }

  /** Notes that only its page can have been at fault, here or in another worker. */
  noteForLong(accountId: string): void {
    const now = this.#now();
    this.#set(accountId, { at: now, until: now + knownMs, isForLong: true });
  }

  isApart(accountId: string): boolean {
    return (this.#accounts.get(accountId)?.until ?? 0) > this.#now();
  }

  isForLong(accountId: string): boolean {
    return this.isApart(accountId) && this.#accounts.get(accountId)?.isForLong === true;
  }

  /** Notes that its captures were completed alone, and spoilt nothing. That it was apart is remembered. */
  release(accountId: string): void {
    const apart = this.#accounts.get(accountId);
    if (apart && !apart.isForLong) apart.until = 0;
  }

  #set(accountId: string, apart: Apart): void {
    this.#accounts.delete(accountId);
    this.#accounts.set(accountId, apart);
    const [first] = this.#accounts.keys();
    if (this.#accounts.size > accountsAtMost && first !== undefined) this.#accounts.delete(first);
  }
}
