import { apartForS } from '@capture/database/captures/accounts-apart';

/** How long an account is apart after a cell with one of its pages fails, milliseconds. */
const suspectedMs = 10 * 60_000;

/** How long an account is apart after a second failure within this time, or after a fault of its page alone, milliseconds. */
const knownMs = apartForS * 1_000;

/** How many accounts are remembered. More in an hour would be an attack by itself; the first account is forgotten. */
const accountsAtMost = 10_000;

interface Apart {
  /** When a cell with a page of the account last failed, as `performance.now()`. */
  at: number;
  until: number;
  isForLong: boolean;
}

/**
 * The accounts that are apart. When a cell fails, any of its pages may be at fault, so every account with a page there is apart
 * for some minutes. An account that completes a capture alone is released; a second failure sets an account apart for an hour.
 */
export class AccountsApart {
  /** Ordered by the last failure, the latest at the end. */
  readonly #accounts = new Map<string, Apart>();
  readonly #now: () => number;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Notes a failed cell with a page of the account. Returns whether this is a repeat, which sets the account apart for an hour.
   */
  note(accountId: string): boolean {
    const now = this.#now();
    const last = this.#accounts.get(accountId);
    const isRepeat = last !== undefined && now - last.at < knownMs;
    if (isRepeat) this.noteForLong(accountId);
    else this.#set(accountId, { at: now, until: now + suspectedMs, isForLong: false });
    return isRepeat;
  }

  /** Notes, here or in another worker, that only a page of this account can be at fault. */
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

  /** Releases an account whose capture completed alone and spoilt no cell. A further failure still counts as a repeat. */
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
