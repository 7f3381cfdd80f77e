/** How long an account's captures have browsers of their own after one of its pages was a flood, milliseconds. */
const apartForMs = 10 * 60_000;

/** Accounts remembered at once: more than a worker serves in that time. The oldest are forgotten. */
const mostAccounts = 10_000;

/**
 * The accounts whose pages flooded the browser. Each page is cut off at a limit, but only after it has kept the browser's main
 * process busy for seconds, and the account may send the next one at once. So their captures run in browsers of their own for
 * some minutes, where they delay no others.
 */
export class FloodingAccounts {
  /** When each had its last flood, as `performance.now()`; the oldest first. */
  readonly #floods = new Map<string, number>();

  note(accountId: string): void {
    this.#floods.delete(accountId);
    this.#floods.set(accountId, performance.now());
    const [oldest] = this.#floods.keys();
    if (this.#floods.size > mostAccounts && oldest !== undefined) this.#floods.delete(oldest);
  }

  has(accountId: string): boolean {
    const at = this.#floods.get(accountId);
    return at !== undefined && performance.now() - at < apartForMs;
  }
}
